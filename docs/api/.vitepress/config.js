import { defineConfig } from 'vitepress';
import { PAGES } from './pages.js';

/** The reference of the service, which leads back to this guide: docs/make-it-yours.md says to change both. */
const REFERENCE_URL = 'https://api.animal-store.example/docs';

export default defineConfig({
  title: 'Animal Store',
  description: 'The guide for callers of the Animal Store',
  lang: 'en',
  outDir: 'dist',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // Relative, so that the pages work at any address.
  base: './',
  rewrites: { 'README.md': 'index.md' },
  markdown: { anchor: { slugify: anchorOf } },
  themeConfig: {
    nav: [{ text: 'Reference', link: REFERENCE_URL }],
    sidebar: Object.entries(PAGES).map(([page, text]) => ({ text, link: `/${page}` })),
    outline: { level: [2, 3] },
    search: { provider: 'local' },
  },
});

/** The anchors of GitHub: an error code is its own anchor, and the links of the pages work in both places. */
function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
