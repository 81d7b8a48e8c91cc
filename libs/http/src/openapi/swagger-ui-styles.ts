/**
 * The styles of Swagger UI's page in addition to its own, which are for a desk: its tables go wider than a phone, and
 * their columns touch.
 */
export const SWAGGER_UI_STYLES = `
.swagger-ui .info { margin: 24px 0; }
.swagger-ui .info .renderedMarkdown table { display: block; overflow-x: auto; }
.swagger-ui .info .renderedMarkdown :is(th, td) { padding-right: 16px; }
html.dark-mode .swagger-ui .headers :is(td, .header-col) { color: var(--text); }
@media (max-width: 640px) {
  .swagger-ui :is(.responses-inner, .opblock-body .table-container) { padding: 12px; }
  .swagger-ui .responses-inner { overflow-x: auto; }
  .swagger-ui .response-col_links { display: none; }
  .swagger-ui .modal-ux { min-width: 0; width: calc(100vw - 24px); }
}
`;
