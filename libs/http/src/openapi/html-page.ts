import type { HashedNames } from './hashed-files.js';

/** A page of the documentation. Its addresses are relative, so that a proxy may add a prefix to all of them. */
export interface HtmlPage {
  /** As HTML. */
  readonly title: string;
  /** The folder `docs` relative to the page: `docs/`, or an empty text inside the folder. */
  readonly docs: string;
  /** The root of the service relative to the page. */
  readonly root: string;
  readonly hashed: HashedNames;
  /** Whether the service has a guide. */
  readonly hasGuide: boolean;
  /** HTML before the stylesheet of all pages. */
  readonly head?: string;
  /** As HTML. */
  readonly body: string;
}

/** The frame of all pages, with links between them. */
export function htmlPage({ title, docs, root, hashed, hasGuide, head = '', body }: HtmlPage): string {
  const links = [
    ...(hasGuide ? [[`${docs}guide/`, 'Guide']] : []),
    [`${root}docs`, 'Reference'],
    [`${root}openapi.yaml`, 'openapi.yaml'],
    [`${root}openapi.json`, 'openapi.json'],
  ];
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="UTF-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
    ${head}
    <link rel="stylesheet" href="${docs}${hashed('docs.css')}">
    <link rel="icon" type="image/png" href="${docs}${hashed('favicon-32x32.png')}" sizes="32x32">
    <link rel="icon" type="image/png" href="${docs}${hashed('favicon-16x16.png')}" sizes="16x16">
  </head>
  <body>
    <nav>${links.map(([href = '', text = '']) => `<a href="${href}">${text}</a>`).join(' ')}</nav>
    ${body}
  </body>
</html>
`;
}
