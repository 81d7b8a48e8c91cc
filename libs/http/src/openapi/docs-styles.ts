import { SWAGGER_UI_STYLES } from './swagger-ui-styles.js';

/** The stylesheet of the guide and of Swagger UI's page, both in the colour scheme of the reader's system. */
export const DOCS_STYLES = `
:root { --text: #24292f; --soft: #57606a; --page: #fafafa; --box: #eef0f2; --line: #d0d7de; --link: #0550ae; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e6e6; --soft: #b7bcbf; --page: #1c2022; --box: #2b3034; --line: #454c52; --link: #7cb7ff; }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; background: var(--page); }
body { margin: 0; background: var(--page); color: var(--text); }
nav, .key, .guide { font: 16px/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
nav, .key { max-width: 1460px; margin: 0 auto; padding: 12px 20px; }
nav a { display: inline-block; margin-right: 16px; padding: 4px 0; }
nav a, .key a, .guide a { color: var(--link); }
.key { padding-top: 0; color: var(--soft); }
.key code, .guide code { padding: 1px 4px; border-radius: 4px; background: var(--box); color: var(--text); font: 0.9em/1.5 ui-monospace, monospace; }

.guide { max-width: 900px; margin: 0 auto; padding: 0 20px 64px; }
.guide h1, .guide h2, .guide h3 { line-height: 1.25; }
.guide h2 { margin-top: 2em; padding-bottom: 4px; border-bottom: 1px solid var(--line); }
.guide pre { overflow-x: auto; padding: 12px 16px; border-radius: 6px; background: var(--box); }
.guide pre code { padding: 0; background: none; overflow-wrap: normal; }
.guide .table { overflow-x: auto; }
.guide table { border-collapse: collapse; }
.guide th, .guide td { padding: 6px 12px; border: 1px solid var(--line); text-align: left; vertical-align: top; }
.guide blockquote { margin: 0; padding-left: 16px; border-left: 4px solid var(--line); color: var(--soft); }
${SWAGGER_UI_STYLES}`;
