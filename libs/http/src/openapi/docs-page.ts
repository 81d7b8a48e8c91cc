import type { OpenAPIObject } from '@nestjs/swagger';
import { scriptOf } from './document-text.js';
import { exactNumbersPlugin } from './exact-numbers.plugin.js';
import type { HashedNames } from './hashed-files.js';
import { htmlPage } from './html-page.js';

const OPTIONS = {
  dom_id: '#swagger-ui',
  persistAuthorization: false,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // By default the page shows a badge from another host.
  validatorUrl: 'none',
};

/** The links of Swagger UI's page. */
export interface DocsPageOptions {
  /** The folder `docs`, relative to the address of the page, so that a proxy may add a prefix to both. */
  readonly docs: string;
  readonly hashed: HashedNames;
  /** Whether there is a guide. */
  readonly hasGuide: boolean;
}

/** The page of Swagger UI. */
export function docsPage({ docs, hashed, hasGuide }: DocsPageOptions): string {
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

/**
 * The script that starts Swagger UI. The page calls the service that serves it, at any address. It offers only those
 * environments of the document that its policy allows: those of the same origin. Links to the guide of production lead
 * to the guide of this service.
 *
 * @param hasGuide whether the service has a guide
 */
export function docsScript(document: OpenAPIObject, hasGuide: boolean): string {
  const guideOfProduction = hasGuide ? document.externalDocs?.url : undefined;
  return `${exactNumbersPlugin.toString()}
const published = ${scriptOf(document)};
const root = new URL('..', document.currentScript.src);
const [guide, ownGuide] = [${JSON.stringify(guideOfProduction ?? null)}, new URL('docs/guide/', root).href];
const spec = guide === null ? published : JSON.parse(JSON.stringify(published).replaceAll(guide, ownGuide));
const reachable = (path, servers = []) => {
  const here = new URL(path, root);
  const others = servers.filter(({ url }) => {
    const { origin, href } = new URL(url, root);
    return origin === root.origin && href !== here.href;
  });
  return [{ url: here.pathname.replace(/\\/$/, ''), description: 'This server' }, ...others];
};
for (const item of Object.values(spec.paths)) if (item.servers) item.servers = reachable('', item.servers);
const dark = matchMedia('(prefers-color-scheme: dark)');
const adapt = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', adapt);
adapt();
SwaggerUIBundle({
  ...${JSON.stringify(OPTIONS)},
  spec: { ...spec, servers: reachable('v1', spec.servers) },
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [exactNumbersPlugin],
});
`;
}
