import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeInChromium, useChromium } from '../support/chromium.js';
import { createMigratedDatabase } from '../support/databases.js';
import { useApp } from '../support/running-app.js';

const FOLDER = join(import.meta.dirname, '../../docs/api');
const PATHS = readdirSync(FOLDER).map((name) => `/docs/guide/${name.replace(/(?:README)?\.md$/, '')}`);
const NO_KEY = { key: null };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true };

describe('the guide that the service serves', () => {
  const app = useApp(createMigratedDatabase);

  const read = async (path: string) => {
    const answer = await app.request(path, NO_KEY);
    return { status: answer.status, headers: answer.headers, html: await answer.text() };
  };

  test('is a page for each file, without a key, asked for again each time and sent where it has changed', async () => {
    for (const path of PATHS) {
      const { status, headers } = await read(path);
      expect([path, status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        ...[path, 200, 'text/html; charset=utf-8', 'no-cache'],
      ]);
      const again = await app.request(path, { key: null, headers: { 'if-none-match': headers.get('etag') ?? '' } });
      expect([path, again.status]).toEqual([path, 304]);
    }
  });

  test('has nothing at the end of its links that is not there', async () => {
    const dead: string[] = [];
    for (const path of PATHS) {
      const { html } = await read(path);
      for (const [, href = ''] of html.matchAll(/href="(?<address>[^"]+)"/g)) {
        const url = new URL(href, `${app.url}${path}`);
        if (url.origin !== app.url) continue;
        const target = await read(url.pathname);
        const anchor = decodeURIComponent(url.hash.slice(1));
        const isThere = target.status === 200 && (anchor === '' || target.html.includes(` id="${anchor}"`));
        if (!isThere) dead.push(`${path}: ${href}`);
      }
    }
    expect(dead).toEqual([]);
  });

  test('has no script', async () => {
    for (const path of PATHS) expect((await read(path)).html).not.toMatch(/<script|javascript:| on[a-z]+=/i);
  });
});

describeInChromium('the guide in a browser', () => {
  const chromium = useChromium();
  const app = useApp(createMigratedDatabase);

  test.each(['dark', 'light'] as const)('fits on a phone with the colours of a %s system', async (colorScheme) => {
    const { page, errors } = await chromium.open({ ...PHONE, colorScheme });
    for (const path of PATHS) {
      await page.goto(`${app.url}${path}`);
      const [width, isDark] = await page.evaluate<readonly [number, boolean]>(
        '[document.documentElement.scrollWidth, getComputedStyle(document.body).backgroundColor.match(/[0-9]+/)[0] < 128]',
      );
      expect([path, width, isDark]).toEqual([path, 390, colorScheme === 'dark']);
    }
    expect(errors).toEqual([]);
  });
});
