import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeInChromium, useChromium } from '../support/chromium.js';
import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { startApp, type RunningApp } from '../support/running-app.js';
import { StrippingProxy } from '../support/stripping-proxy.js';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = readdirSync(join(ROOT, 'docs/api'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => name.replace(/(?:README)?\.md$/, ''));

const BUILD_TIMEOUT_MS = 300_000;

describe('the guide that the service serves', () => {
  const database = useDatabase(createMigratedDatabase);
  let app: RunningApp;
  let proxy: StrippingProxy;

  beforeAll(async () => {
    const { status, stderr } = spawnSync('npm', ['run', 'docs:build'], { cwd: ROOT, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    app = await startApp(database, { TRUST_PROXY: 'loopback' });
    proxy = await StrippingProxy.open(app.port, '/shop', { 'x-forwarded-prefix': '/shop' });
  }, BUILD_TIMEOUT_MS);

  afterAll(async () => {
    proxy.close();
    await app.close();
  });

  test('has a page for each file, with and without .html, and is linked from /docs', async () => {
    for (const page of PAGES) {
      const addresses = [`/docs/guide/${page}`, `/docs/guide/${page === '' ? 'index' : page}.html`];
      for (const address of addresses) {
        const { status, headers } = await app.request(address, { key: null });
        expect([address, status, headers.get('content-type')]).toEqual([address, 200, 'text/html; charset=utf-8']);
      }
    }
    expect(await (await app.request('/docs', { key: null })).text()).toContain('<a href="docs/guide/">');
  });

  describeInChromium('in a browser', () => {
    const chromium = useChromium();

    test.each([
      ['as it is', () => app.url],
      ['behind a proxy that takes /shop off', () => proxy.url],
    ])('%s breaks no rule of its policy, asks no other host, and is searched', async (_where, base) => {
      const { page, errors, requests } = await chromium.open();
      for (const name of PAGES) {
        await page.goto(`${base()}/docs/guide/${name}`);
        await page.locator('.VPSidebarItem').first().waitFor();
      }
      await page.goto(`${base()}/docs/guide`);
      await page.locator('.VPSidebar a', { hasText: 'Retries' }).click();
      await page.waitForURL('**/retries*');
      await page.locator('main h1', { hasText: 'Retries' }).waitFor();
      await page.locator('.VPNavBarSearchButton').click();
      await page.locator('.VPLocalSearchBox input').fill('idempotency');
      await page.locator('.VPLocalSearchBox .results a').first().click();
      await page.waitForURL(/#/);
      expect(errors).toEqual([]);
      expect(requests.filter((url) => !url.startsWith(`${base()}/docs/`) && !url.startsWith('data:'))).toEqual([]);
    });
  });
});
