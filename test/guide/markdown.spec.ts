import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fencedBlocks } from './fenced-blocks.js';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = join(ROOT, 'docs/api');
const PAGES = readdirSync(GUIDE);

/** The maximum number of columns of a table that a phone shows without much scrolling. */
const MAX_COLUMNS = 3;

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
  // The service serves only the pages of this folder.
  if (!PAGES.includes(target)) return `${link} is no page of the guide`;
  return anchor === undefined || anchorsOf(target).includes(anchor) ? undefined : `${link} is no heading`;
}

describe.each(PAGES)('the page %s', (page) => {
  const prose = proseOf(page);

  test('has no link that leads nowhere', () => {
    const links = [...prose.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!);
    expect(links.map((link) => faultOf(page, link)).filter((fault) => fault !== undefined)).toEqual([]);
  });

  test('is reached from another one', () => {
    const others = PAGES.filter((other) => other !== page).map(proseOf);
    const isLinked = others.some((other) => other.includes(`](${page})`) || other.includes(`](${page}#`));
    expect(isLinked || page === 'README.md').toBe(true);
  });

  test('has no raw HTML, which the service would show as text', () => {
    expect(prose).not.toMatch(/<\/?[a-z!]/i);
  });

  test('has no table too wide for a phone', () => {
    const separators = [...prose.matchAll(/^\|(?: *:?-+:? *\|)+$/gm)].map(([line]) => line.split('|').length - 2);
    expect(separators.filter((columns) => columns > MAX_COLUMNS)).toEqual([]);
  });

  test('shows files of the repository as they are', () => {
    const files = fencedBlocks(readFileSync(join(GUIDE, page), 'utf8')).filter(({ options }) => 'file' in options);
    for (const { text, options } of files) {
      expect(`${text}\n`).toBe(readFileSync(join(ROOT, options['file']!), 'utf8'));
    }
  });

  test('begins with its one title', () => {
    expect(readFileSync(join(GUIDE, page), 'utf8').match(/^# .+$/gm)?.length).toBeGreaterThan(0);
    expect(prose.match(/^# .+$/gm)).toHaveLength(1);
  });
});

test('the guide is linked from the README', () => {
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain('](docs/api/README.md)');
  expect(existsSync(join(GUIDE, 'README.md'))).toBe(true);
});
