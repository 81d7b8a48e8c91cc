import { addressOf, addressOfPage, type Place } from './guide-addresses.js';
import { INDEX, type GuideSources } from './guide-sources.js';
import type { HashedNames } from './hashed-files.js';
import { htmlPage } from './html-page.js';

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
