import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES as NAVIGATION } from '../../docs/api/.vitepress/pages.js';

test('each page is in the navigation of the site', () => {
  const pages = readdirSync(join(import.meta.dirname, '../../docs/api')).filter((name) => name.endsWith('.md'));
  const inNavigation = Object.keys(NAVIGATION).map((page) => `${page}.md`);
  expect(pages.filter((page) => page !== 'README.md').sort()).toEqual(inNavigation.sort());
});
