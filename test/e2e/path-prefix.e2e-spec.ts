import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { clientOf, startApp, TEST_API_KEY, useApp, type Client, type RunningApp } from '../support/running-app.js';
import { StrippingProxy } from '../support/stripping-proxy.js';

const REX = { name: 'Rex', categoryId: 7 };

function pathOf(link: string | null): string {
  return /<(?<path>[^>]*)>/.exec(link ?? '')?.[1] ?? '';
}

describe('behind a proxy that takes /shop off', () => {
  const database = useDatabase(createMigratedDatabase);
  let app: RunningApp;
  let proxy: StrippingProxy;
  let shop: Client;

  beforeAll(async () => {
    app = await startApp(database, { PUBLIC_PATH_PREFIX: '/shop' });
    proxy = await StrippingProxy.open(app.port, '/shop', {});
    shop = clientOf(proxy.url);
    for (let count = 0; count < 3; count += 1) await app.createPet(REX);
  });

  afterAll(async () => {
    proxy.close();
    await app.close();
  });

  test('Location leads to what was made', async () => {
    const location = (await shop.createPet(REX)).headers.get('location')!;
    expect(location).toMatch(/^\/shop\/v1\/pets\/[0-9]+$/);
    const answer = await fetch(`${proxy.origin}${location}`, { headers: { authorization: `Bearer ${TEST_API_KEY}` } });
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ name: 'Rex' })]);
  });

  test('Link leads to the next page', async () => {
    const first = await shop.request('/v1/pets?limit=1');
    const next = pathOf(first.headers.get('link'));
    expect(next).toMatch(/^\/shop\/v1\/pets\?limit=1&cursor=/);
    const answer = await fetch(`${proxy.origin}${next}`, { headers: { authorization: `Bearer ${TEST_API_KEY}` } });
    expect([answer.status, await answer.json()]).not.toEqual([200, await first.json()]);
    expect(answer.status).toBe(200);
  });

  test('@Deprecated leads to the successor', async () => {
    expect((await shop.request('/v1/pets/1')).headers.get('link')).toBe('</shop/v1/pets>; rel="successor-version"');
  });

  test('the page of the document calls the address before the proxy', async () => {
    const script = await (await shop.request('/docs/swagger-ui-init.js', { key: null })).text();
    expect(script).toContain('"url": "/shop/v1"');
  });
});

describe('without the setting', () => {
  const app = useApp(createMigratedDatabase, { TRUST_PROXY: 'loopback' });

  test('no header field of a request decides about addresses', async () => {
    const created = await app.request('/v1/pets', {
      method: 'POST',
      headers: { 'x-forwarded-prefix': '/shop', 'content-type': 'application/json' },
      body: JSON.stringify(REX),
    });
    expect(created.headers.get('location')).toMatch(/^\/v1\/pets\//);
  });
});
