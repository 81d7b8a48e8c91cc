import { INDEX, type GuideSources } from './guide-sources.js';

/** Relative paths from a page to the folder `docs`, to the root of the service, and to the pages of the guide. */
export interface Place {
  readonly docs: string;
  readonly root: string;
  readonly guide: string;
}

/** Files of the repository outside the guide that the service serves, by their names in links of the guide. */
const SERVED = new Map([['../openapi.yaml', 'openapi.yaml']]);

/** The address of a link's target on this service; `undefined` if the service does not serve it. */
export function addressOf(href: string, { root, guide }: Place, sources: GuideSources): string | undefined {
  if (href.startsWith('#') || /^[a-z]+:/i.test(href)) return href;
  if (href.startsWith('/')) return `${root}${href.slice(1)}`;
  const [file = '', anchor] = href.replace(/^\.\//, '').split('#');
  const served = SERVED.get(file);
  if (served !== undefined) return `${root}${served}`;
  if (!sources.has(file)) return undefined;
  const page = `${guide}${addressOfPage(file)}`;
  return `${page === '' ? './' : page}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** The address of a page below the folder of the guide. */
export function addressOfPage(name: string): string {
  return name === INDEX ? '' : name.replace(/\.md$/, '');
}
