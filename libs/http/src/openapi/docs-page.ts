import type { SourceTextJson } from '../json/exact-json.js';

/**
 * The page of Swagger UI at `/docs`. Its addresses are relative, so that a proxy may put a prefix before all of them.
 *
 * @param title of the document
 * @param hasGuide whether the service has a guide
 */
export function docsPage(title: string, hasGuide: boolean): string {
  const guide = hasGuide ? '<a href="docs/guide/">Guide</a> ' : '';
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="UTF-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title} API</title>
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/docs.css">
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
  </head>
  <body>
    <header>
    <nav>${guide}<a href="openapi.yaml">openapi.yaml</a> <a href="openapi.json">openapi.json</a></nav>
    <p class="key">Enter your API key under <b>Authorize</b>. The page sends it only to this service, and forgets it when
      it is closed. <code>npm start</code> prints a key; for any other service ask the people who run it.</p>
    </header>
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

// What Swagger UI lacks for people who use a keyboard or a screen reader: names, levels of headings, code that can be scrolled.
const ATTRIBUTES = [
  ['#servers', 'aria-label', () => 'Server'],
  ['[data-param-name] select', 'aria-label', (element) => element.closest('[data-param-name]').dataset.paramName],
  ['textarea', 'aria-label', () => 'Request body'],
  [':is(.information-container, .scheme-container)', 'role', () => 'region'],
  ['.information-container', 'aria-label', () => 'About'],
  ['.scheme-container', 'aria-label', () => 'Server and key'],
  ['[role="region"][id]', 'aria-label', (element) => element.id.replaceAll('_', ' ')],
  ['.opblock-tag', 'aria-level', () => '2'],
  ['h4', 'aria-level', () => '3'],
  ['h5', 'aria-level', () => '4'],
  // One stop of the Tab key for each example: the code, which can be scrolled, and not the tab around it.
  ['pre:not(.version)', 'tabindex', () => '0'],
  ['[role="tabpanel"]', 'tabindex', () => '-1'],
];
new MutationObserver(() => {
  for (const [selector, name, value] of ATTRIBUTES)
    for (const element of document.querySelectorAll('.swagger-ui ' + selector)) element.setAttribute(name, value(element));
}).observe(document.getElementById('swagger-ui'), { childList: true, subtree: true });

// The path of an operation is no link inside of a button, and the header fields of a response are folded.
const layoutPlugin = ({ React: { createElement } }) => ({
  wrapComponents: {
    DeepLink: () => ({ text }) => createElement('span', null, text),
    headers: (Original) => (props) =>
      props.headers?.size > 0 &&
      createElement('details', null, createElement('summary', null, 'Headers'), createElement(Original, props)),
  },
});

fetch(new URL('openapi.json', root)).then((response) => response.json()).then((spec) => {
  for (const item of Object.values(spec.paths)) if (item.servers) item.servers = here('');
  // The part of the path that all servers end with, such as v1.
  const [version] = spec.servers[0].url.match(/[^/]+(?=[/]?$)/);
  SwaggerUIBundle({
    spec: { ...spec, servers: here(version) },
    dom_id: '#swagger-ui',
    deepLinking: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    persistAuthorization: false,
    // By default the page shows a badge from another host.
    validatorUrl: 'none',
    presets: [SwaggerUIBundle.presets.apis],
    syntaxHighlight: { theme: 'monokai' },
    plugins: [exactNumbersPlugin, layoutPlugin],
  });
});
`;

/** The component of Swagger UI that shows the body of a response. */
type ResponseBody = new () => { render(): unknown };

/**
 * A plugin of Swagger UI. Swagger UI parses the body of a response and writes it with indentation, which rounds
 * integers beyond 2^53: 9007199254740993 would be shown as another category. With the plugin, the digits are shown as
 * they were sent.
 *
 * The browser gets the source text of this function, so it must not use anything from outside.
 */
export function exactNumbersPlugin() {
  return {
    wrapComponents: {
      responseBody: (Original: ResponseBody) =>
        class extends Original {
          override render(): unknown {
            const json = JSON as unknown as Pick<SourceTextJson, 'parse'> & Partial<SourceTextJson>;
            const { parse, rawJSON } = json;
            if (rawJSON === undefined) return super.render();
            json.parse = (text) =>
              parse(text, (_name, value, { source }) =>
                typeof value === 'number' && source !== undefined ? rawJSON(source) : value,
              );
            try {
              return super.render();
            } finally {
              json.parse = parse;
            }
          }
        },
    },
  };
}

/**
 * The styles of the page beside those of Swagger UI, which are for a desk: its tables go wider than a phone, and their
 * columns touch.
 */
export const DOCS_STYLES = `
:root { --text: #24292f; --soft: #57606a; --page: #fafafa; --link: #0550ae; --red: #b42318; --green: #157347; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e6e6; --soft: #b7bcbf; --page: #1c2022; --link: #7cb7ff; --red: #ff9b93; --green: #5fd08d; }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; background: var(--page); }
body { margin: 0; background: var(--page); color: var(--text); }
nav, .key { max-width: 1460px; margin: 0 auto; padding: 12px 20px; font: 16px/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
nav a { display: inline-block; margin-right: 16px; padding: 4px 0; color: var(--link); }
.key { padding-top: 0; color: var(--soft); }
.swagger-ui .info { margin: 24px 0; }
.swagger-ui summary { cursor: pointer; }
.swagger-ui .responses-inner details { margin: 8px 0 16px; }
/* Wide enough for a type such as integer($int64). */
.swagger-ui .parameters-col_name { min-width: 128px; padding-right: 12px; }
/* Texts break between words. */
.swagger-ui .highlight-code :is(pre, code, span) { overflow-wrap: anywhere; word-break: normal !important; }
.swagger-ui .parameter__type { overflow-wrap: anywhere; }
/* Swagger UI shows this button only under a pointer. */
.swagger-ui .opblock .opblock-summary:focus-within .view-line-link.copy-to-clipboard { margin: 0 5px; width: 24px; }
/* Contrasts of at least 4.5 to 1. */
.swagger-ui .opblock.opblock-deprecated { opacity: 1; }
.swagger-ui .opblock.opblock-deprecated .opblock-summary-method { background: #57606a !important; color: #fff !important; }
.swagger-ui :is(.info a, a.link) { color: var(--link); }
.swagger-ui .btn.cancel { border-color: var(--red); color: var(--red) !important; }
.swagger-ui :is(.btn.authorize, .response-control-media-type__accept-message, .response-control-media-type__accept-message code) { border-color: var(--green); color: var(--green); }
.swagger-ui .btn.authorize svg { fill: var(--green); }
.swagger-ui :is(.parameter__in, .prop-format) { color: var(--soft); }
html:not(.dark-mode) .swagger-ui .info .title small { background: #57606a; }
html:not(.dark-mode) .swagger-ui .info .title small.version-stamp { background: #3a6b00; }
html:not(.dark-mode) .swagger-ui :is(.btn.execute, .opblock-get:not(.opblock-deprecated) .opblock-summary-method) { border-color: #0b63c4; background: #0b63c4; }
html:not(.dark-mode) .swagger-ui .opblock-post .opblock-summary-method { background: #157347; }
html.dark-mode .swagger-ui .headers :is(td, .header-col) { color: var(--text); }
@media (max-width: 640px) {
  .swagger-ui :is(.responses-inner, .opblock-body .table-container) { padding: 12px; }
  .swagger-ui .responses-inner { overflow-x: auto; }
  .swagger-ui .response-col_links { display: none; }
  .swagger-ui .modal-ux { min-width: 0; width: calc(100vw - 24px); }
}
`;
