import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fencedBlocks } from './fenced-blocks.js';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = join(ROOT, 'docs/api');
const PAGES = readdirSync(GUIDE).filter((name) => name.endsWith('.md'));

/** A page without its blocks of code. Code between backticks is masked. */
function proseOf(page: string): string {
  return readFileSync(join(GUIDE, page), 'utf8')
    .replace(/^```[^]*?^```$/gm, '')
    .replace(/`[^`\n]*`/g, (code) => 'c'.repeat(code.length));
}

/** The possible targets of links in a page: its headings, with the anchors of GitHub. */
function anchorsOf(page: string): string[] {
  const text = readFileSync(join(GUIDE, page), 'utf8').replace(/^```[^]*?^```$/gm, '');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Why a link of a page is broken. `undefined` if the link is valid. */
function faultOf(page: string, link: string): string | undefined {
  if (link.startsWith('https://')) return undefined;
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page : file;
  if (file.startsWith('drawings/')) return existsSync(join(GUIDE, file)) ? undefined : `${link} is no drawing`;
  // The site has only the pages of this folder.
  if (!PAGES.includes(target)) return `${link} is no page of the guide`;
  return anchor === undefined || anchorsOf(target).includes(anchor) ? undefined : `${link} is no heading`;
}

describe.each(PAGES)('the page %s', (page) => {
  const prose = proseOf(page);

  test('has no link that leads nowhere', () => {
    const links = [...prose.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!);
    expect(links.map((link) => faultOf(page, link)).filter((fault) => fault !== undefined)).toEqual([]);
  });

  test('shows files of the repository as they are', () => {
    const files = fencedBlocks(readFileSync(join(GUIDE, page), 'utf8')).filter(({ options }) => 'file' in options);
    for (const { text, options } of files) {
      expect(`${text}\n`).toBe(readFileSync(join(ROOT, options['file']!), 'utf8'));
    }
  });
});

test('each page is in the navigation of the site', () => {
  const config = readFileSync(join(GUIDE, '.vitepress/config.js'), 'utf8');
  const names = PAGES.filter((page) => page !== 'README.md').map((page) => page.replace('.md', ''));
  expect(names.filter((name) => !new RegExp(`^  '?${name}'?: `, 'm').test(config))).toEqual([]);
});
