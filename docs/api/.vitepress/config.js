import { defineConfig } from 'vitepress';
import { PAGES } from './pages.js';

export default defineConfig({
  title: 'Animal Store',
  description: 'The guide for callers of the Animal Store',
  lang: 'en',
  outDir: 'dist',
  // A file of Swagger UI, which the service serves beside the guide.
  head: [['link', { rel: 'icon', type: 'image/png', href: '../favicon-32x32.png' }]],
  // Relative, so that the pages work below any prefix that a proxy removes.
  base: './',
  rewrites: { 'README.md': 'index.md' },
  themeConfig: {
    sidebar: Object.entries(PAGES).map(([page, text]) => ({ text, link: `/${page}` })),
    outline: { level: [2, 3] },
    search: { provider: 'local' },
  },
});
