import type { OpenAPIObject } from '@nestjs/swagger';
import { scriptOf } from './document-script.js';
import { exactNumbersPlugin } from './exact-numbers.plugin.js';

const OPTIONS = {
  dom_id: '#swagger-ui',
  persistAuthorization: false,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // By default the page shows a badge from another host.
  validatorUrl: 'none',
};

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
