import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES as NAVIGATION } from '../../docs/api/.vitepress/pages.js';
import { fencedBlocks } from './fenced-blocks.js';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = join(ROOT, 'docs/api');
const PAGES = readdirSync(GUIDE).filter((name) => name.endsWith('.md'));

describe.each(PAGES)('the page %s', (page) => {
  test('shows files of the repository as they are', () => {
    const files = fencedBlocks(readFileSync(join(GUIDE, page), 'utf8')).filter(({ options }) => 'file' in options);
    for (const { text, options } of files) {
      expect(`${text}\n`).toBe(readFileSync(join(ROOT, options['file']!), 'utf8'));
    }
  });
});

test('each page is in the navigation of the site', () => {
  const inNavigation = Object.keys(NAVIGATION).map((page) => `${page}.md`);
  expect(PAGES.filter((page) => page !== 'README.md').sort()).toEqual(inNavigation.sort());
});
