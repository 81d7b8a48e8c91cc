import { htmlPage, type HtmlPage } from './html-page.js';

/** The page of Swagger UI. */
export function docsPage({ docs, hashed, hasGuide }: Pick<HtmlPage, 'docs' | 'hashed' | 'hasGuide'>): string {
  const asset = (name: string) => `${docs}${hashed(name)}`;
  const root = docs === '' ? '../' : '';
  const more = hasGuide ? ` The <a href="${docs}guide/getting-started">guide</a> tells more.` : '';
  return htmlPage({
    title: 'Animal Store API',
    docs,
    root,
    hashed,
    hasGuide,
    head: `<link rel="stylesheet" href="${asset('swagger-ui.css')}">`,
    body: `<p class="key">Every request needs an API key. Whoever runs this service makes one, and it is shown once:
      <code>npm run keys -- create --name your-app</code>. Enter it under <b>Authorize</b>: this page sends it nowhere
      else, and forgets it when it is closed.${more}</p>
    <div id="swagger-ui"></div>
    <script src="${asset('swagger-ui-bundle.js')}"></script>
    <script src="${asset('swagger-ui-init.js')}"></script>`,
  });
}
