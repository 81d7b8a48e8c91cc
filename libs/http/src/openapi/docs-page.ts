import { exactNumbersPlugin } from './exact-numbers.plugin.js';

/**
 * The page of Swagger UI at `/docs`. Its addresses are relative, so that a proxy may put a prefix before all of them.
 *
 * @param hasGuide whether the service has a guide
 */
export function docsPage(hasGuide: boolean): string {
  const guide = hasGuide ? '<a href="docs/guide/">Guide</a> ' : '';
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="UTF-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Animal Store API</title>
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/docs.css">
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
  </head>
  <body>
    <nav>${guide}<a href="openapi.yaml">openapi.yaml</a> <a href="openapi.json">openapi.json</a></nav>
    <p class="key">Every request needs an API key. Whoever runs this service makes one, and it is shown once:
      <code>npm run keys -- create --name your-app</code>. Enter it under <b>Authorize</b>: this page sends it nowhere
      else, and forgets it when it is closed.</p>
    <div id="swagger-ui"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/docs.js"></script>
  </body>
</html>
`;
}

/**
 * The script that starts Swagger UI. The page calls the service that serves it, at any address: its policy forbids the
 * other environments of the document.
 */
export const DOCS_SCRIPT = `${exactNumbersPlugin.toString()}
const root = new URL('..', document.currentScript.src);
const here = (path) => [{ url: new URL(path, root).pathname.replace(/\\/$/, ''), description: 'This server' }];
const dark = matchMedia('(prefers-color-scheme: dark)');
const adapt = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', adapt);
adapt();
fetch(new URL('openapi.json', root)).then((answer) => answer.json()).then((spec) => {
  for (const item of Object.values(spec.paths)) if (item.servers) item.servers = here('');
  SwaggerUIBundle({
    spec: { ...spec, servers: here('v1') },
    dom_id: '#swagger-ui',
    deepLinking: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    persistAuthorization: false,
    // By default the page shows a badge from another host.
    validatorUrl: 'none',
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [exactNumbersPlugin],
  });
});
`;

/**
 * The styles of the page beside those of Swagger UI, which are for a desk: its tables go wider than a phone, and their
 * columns touch.
 */
export const DOCS_STYLES = `
:root { --text: #24292f; --soft: #57606a; --page: #fafafa; --box: #eef0f2; --link: #0550ae; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e6e6; --soft: #b7bcbf; --page: #1c2022; --box: #2b3034; --link: #7cb7ff; }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; background: var(--page); }
body { margin: 0; background: var(--page); color: var(--text); }
nav, .key { max-width: 1460px; margin: 0 auto; padding: 12px 20px; font: 16px/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
nav a { display: inline-block; margin-right: 16px; padding: 4px 0; color: var(--link); }
.key { padding-top: 0; color: var(--soft); }
.key code { padding: 1px 4px; border-radius: 4px; background: var(--box); color: var(--text); font: 0.9em/1.5 ui-monospace, monospace; }
.swagger-ui .info { margin: 24px 0; }
html.dark-mode .swagger-ui .headers :is(td, .header-col) { color: var(--text); }
@media (max-width: 640px) {
  .swagger-ui :is(.responses-inner, .opblock-body .table-container) { padding: 12px; }
  .swagger-ui .responses-inner { overflow-x: auto; }
  .swagger-ui .response-col_links { display: none; }
  .swagger-ui .modal-ux { min-width: 0; width: calc(100vw - 24px); }
}
`;
