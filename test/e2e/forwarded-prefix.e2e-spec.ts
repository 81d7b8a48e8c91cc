import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { clientOf, startApp, TEST_API_KEY, type Client, type RunningApp } from '../support/running-app.js';
import { StrippingProxy } from '../support/stripping-proxy.js';

const PREFIX = { 'x-forwarded-prefix': '/shop' };
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
    app = await startApp(database, { TRUST_PROXY: 'loopback' });
    proxy = await StrippingProxy.open(app.port, '/shop', PREFIX);
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

  test('who comes past the proxy gets the same page without the prefix, before and after', async () => {
    const ask = async (client: Client) => pathOf((await client.request('/v1/pets?limit=2')).headers.get('link'));
    const paths = [await ask(app), await ask(shop), await ask(app), await ask(shop)];
    expect(paths.map((path) => path.replace(/\?.*/, ''))).toEqual([
      ...['/v1/pets', '/shop/v1/pets', '/v1/pets', '/shop/v1/pets'],
    ]);
    expect(new Set(paths.map((path) => path.replace('/shop', ''))).size).toBe(1);
  });
});

describe.each([
  ['is unset', {}],
  ['names other addresses', { TRUST_PROXY: '10.0.0.0/8' }],
])('where TRUST_PROXY %s', (_, variables: Record<string, string>) => {
  const database = useDatabase(createMigratedDatabase);

  test('nobody is believed', async () => {
    const app = await startApp(database, variables);
    const created = await app.request('/v1/pets', {
      method: 'POST',
      headers: { ...PREFIX, 'content-type': 'application/json' },
      body: JSON.stringify(REX),
    });
    await app.close();
    expect(created.headers.get('location')).toMatch(/^\/v1\/pets\//);
  });
});
