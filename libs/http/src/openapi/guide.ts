import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HashedNames } from './hashed-files.js';
import { htmlPage } from './html-page.js';

const INDEX = 'README.md';

/** The pages of the guide in Markdown, by their file names. */
export type GuideSources = ReadonlyMap<string, string>;

/** Reads the pages of a folder; no pages if the folder does not exist. */
export async function readGuide(folder: string | undefined): Promise<GuideSources> {
  if (folder === undefined) return new Map();
  const names = await readdir(folder).catch(() => []);
  const pages = names.filter((name) => name.endsWith('.md')).sort();
  return new Map(
    await Promise.all(pages.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}

/** The pages of the guide as HTML, by address. */
export async function guidePages(sources: GuideSources, hashed: HashedNames): Promise<[path: string, html: string][]> {
  if (sources.size === 0) return [];
  // Imported here because only the guide needs it.
  const { renderMarkdown } = await import('./guide-markdown.js');
  const page = (markdown: string, place: Place) => {
    const { title, html } = renderMarkdown(markdown, (href) => addressOf(href, place, sources));
    return htmlPage({ title, ...place, hashed, hasGuide: true, body: `<main class="guide">${html}</main>` });
  };
  const within = { docs: '../', root: '../../', guide: '' };
  const pages = [...sources].map(([name, markdown]): [string, string] => [
    `/docs/guide/${addressOfPage(name)}`,
    page(markdown, within),
  ]);
  const index = sources.get(INDEX);
  // The first page has a second address, in another folder, so its relative links differ.
  if (index !== undefined) pages.push(['/docs/guide', page(index, { docs: '', root: '../', guide: 'guide/' })]);
  return pages;
}

/**
 * The place of a page: relative paths from the page to the folder `docs`, to the root of the service, and to the pages
 * of the guide.
 */
interface Place {
  readonly docs: string;
  readonly root: string;
  readonly guide: string;
}

function addressOfPage(name: string): string {
  return name === INDEX ? '' : name.replace(/\.md$/, '');
}

/** Files of the repository outside the guide that the service serves, by their names in links of the guide. */
const SERVED = new Map([['../openapi.yaml', 'openapi.yaml']]);

/** The address of a link's target on this service; `undefined` if the service does not serve it. */
function addressOf(href: string, { root, guide }: Place, sources: GuideSources): string | undefined {
  if (href.startsWith('#') || /^[a-z]+:/i.test(href)) return href;
  if (href.startsWith('/')) return `${root}${href.slice(1)}`;
  const [file = '', anchor] = href.replace(/^\.\//, '').split('#');
  const served = SERVED.get(file);
  if (served !== undefined) return `${root}${served}`;
  if (!sources.has(file)) return undefined;
  const page = `${guide}${addressOfPage(file)}`;
  return `${page === '' ? './' : page}${anchor === undefined ? '' : `#${anchor}`}`;
}
