import type { OpenAPIObject } from '@nestjs/swagger';
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
 * The page of Swagger UI.
 *
 * @param folder where its files are, relative to the address of the page, so that a proxy may put a prefix before both
 */
export function docsPage(folder: string): string {
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="UTF-8">
    <title>Animal Store API</title>
    <link rel="stylesheet" href="${folder}swagger-ui.css">
    <link rel="stylesheet" href="${folder}index.css">
    <link rel="icon" type="image/png" href="${folder}favicon-32x32.png" sizes="32x32">
    <link rel="icon" type="image/png" href="${folder}favicon-16x16.png" sizes="16x16">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${folder}swagger-ui-bundle.js"></script>
    <script src="${folder}swagger-ui-init.js"></script>
  </body>
</html>
`;
}

/**
 * The script that starts Swagger UI. The page tries the service that serves it, wherever that is: the published document
 * names the environments alone.
 */
export function docsScript(document: OpenAPIObject): string {
  return `${exactNumbersPlugin.toString()}
const spec = ${JSON.stringify(document)};
const at = (path) => ({ url: new URL(path, document.currentScript.src).pathname, description: 'This server' });
const thisServer = at('../v1');
for (const item of Object.values(spec.paths)) if (item.servers) item.servers.unshift(at('..'));
SwaggerUIBundle({
  ...${JSON.stringify(OPTIONS)},
  spec: { ...spec, servers: [thisServer, ...spec.servers] },
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [exactNumbersPlugin],
});
`;
}
