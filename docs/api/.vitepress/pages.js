/** The pages in the order in which one reads them: the later ones show the animals that the earlier ones add. */
export const PAGES = {
  'getting-started': 'Getting started',
  paging: 'Paging',
  errors: 'Errors',
  retries: 'Retries',
  integers: 'Integers',
  'rate-limits': 'Rate limits',
  caching: 'Caching',
  deprecations: 'Deprecations',
  versioning: 'Versioning',
  changelog: 'Changelog',
};
