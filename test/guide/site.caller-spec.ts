import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
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

    const VIEWS = [1440, 390].flatMap((width) =>
      (['light', 'dark'] as const).map((scheme) => [width, scheme] as const),
    );

    test.each(VIEWS)(
      'has no finding of axe, at %i pixels and %s, nor has /docs',
      async (width, colorScheme) => {
        const { page } = await chromium.open({ viewport: { width, height: 900 }, colorScheme });
        const findings = async () => {
          await page.evaluate(readFileSync(join(ROOT, 'docs/api/node_modules/axe-core/axe.min.js'), 'utf8'));
          const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
            'axe.run()',
          );
          return violations.map(({ id, nodes }) => `${page.url()} ${id}: ${nodes[0]?.html}`);
        };
        const found: string[] = [];
        for (const name of PAGES) {
          await page.goto(`${app.url}/docs/guide/${name}`);
          await page.locator('main h1').waitFor();
          found.push(...(await findings()));
        }
        await page.goto(`${app.url}/docs`);
        await page.locator('.opblock').first().waitFor();
        found.push(...(await findings()));
        for (const operation of await page.locator('.opblock').all()) {
          await operation.locator('.opblock-summary-control').click();
          await operation.locator('.responses-inner').waitFor();
        }
        found.push(...(await findings()));
        expect(found).toEqual([]);
      },
      BUILD_TIMEOUT_MS,
    );

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
