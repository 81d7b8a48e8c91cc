import { parse } from 'yaml';
import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { rawExchange, requestBytes } from '../support/raw-http.js';
import { startApp, useApp } from '../support/running-app.js';

const NO_KEY = { key: null };

describe('the documentation', () => {
  const app = useApp(createMigratedDatabase);

  /** The addresses in a page, resolved as a browser resolves them. */
  async function assetsOf(path: string): Promise<URL[]> {
    const answer = await app.request(path, NO_KEY);
    const html = await answer.text();
    return [...html.matchAll(/(?:src|href)="(?<address>[^"]+)"/g)].map((found) => new URL(found[1]!, answer.url));
  }

  test.each(['/docs', '/docs/'])('at %s is a page that gets all it needs from this service', async (path) => {
    const assets = await assetsOf(path);
    const statuses = await Promise.all(assets.map(async (url) => `${url.origin} ${(await fetch(url)).status}`));
    expect(assets.length).toBeGreaterThan(4);
    expect([...new Set(statuses)]).toEqual([`${app.url} 200`]);
  });

  test('lets a browser load and ask nothing anywhere else', async () => {
    const policy = (await app.request('/docs', NO_KEY)).headers.get('content-security-policy') ?? '';
    expect(policy.split(/; ?/)).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]),
    );
    expect(policy).not.toMatch(/https?:/);
  });

  test.each([
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/swagger-ui-init.js', 'application/javascript; charset=utf-8'],
    ['/openapi.json', 'application/json; charset=utf-8'],
    ['/openapi.yaml', 'text/yaml; charset=utf-8'],
  ])('at %s is %s with a strong tag, and is not sent again to who has it', async (path, type) => {
    const { status, headers } = await app.request(path, NO_KEY);
    const tag = headers.get('etag') ?? '';
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      type,
      'private, no-cache',
    ]);
    expect(tag).toMatch(/^"[^"]+"$/);
    // `fetch` would add a header field that asks for a response without a cache.
    const again = await rawExchange(app.port, requestBytes('GET', path, [`If-None-Match: ${tag}`]));
    expect([again.status, again.headers.get('etag'), again.text()]).toEqual([304, tag, '']);
  });

  test('is the same document in JSON and in YAML', async () => {
    const json: unknown = await (await app.request('/openapi.json', NO_KEY)).json();
    expect(parse(await (await app.request('/openapi.yaml', NO_KEY)).text())).toEqual(json);
  });
});

describe('the document', () => {
  const database = useDatabase(createMigratedDatabase);

  const SERVERS = { PRODUCTION_BASE_URL: 'https://pets.example/shop/v1', STAGING_BASE_URL: 'http://localhost:9/v1' };

  test('names the servers of the settings, and the page calls the service that serves it', async () => {
    const app = await startApp(database, SERVERS);
    const { servers } = (await (await app.request('/openapi.json', NO_KEY)).json()) as { servers: { url: string }[] };
    const script = await (await app.request('/docs/swagger-ui-init.js', NO_KEY)).text();
    await app.close();
    expect(servers.map(({ url }) => url)).toEqual(Object.values(SERVERS));
    expect([script.includes('"url": "/v1"'), script.includes('pets.example')]).toEqual([true, false]);
  });

  test('is switched off with the page, and nothing else is', async () => {
    const app = await startApp(database, { DOCS_ENABLED: 'false' });
    const gone = ['/docs', '/docs/', '/docs/swagger-ui.css', '/openapi.json', '/openapi.yaml'];
    const errors = await Promise.all(
      gone.map(async (path) => (await readError(await app.request(path, NO_KEY))).status),
    );
    const { message } = await readError(await app.request('/pets', NO_KEY));
    const statuses = [(await app.request('/v1/pets')).status, (await app.request('/health/live')).status];
    await app.close();
    expect(errors).toEqual(gone.map(() => 404));
    expect(statuses).toEqual([200, 200]);
    // A stranger could not read it anywhere.
    expect(message).not.toContain('/v1/pets');
  });
});
