import { parse } from 'yaml';
import { exactNumbersPlugin } from '../../apps/api/src/docs/exact-numbers.plugin.js';
import { createMigratedDatabase, DATABASES, useDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { startApp, useApp } from '../support/running-app.js';

const NO_KEY = { key: null };

describe.each(DATABASES)('health on $name', ({ create }) => {
  const app = useApp(create);

  test.each(['/health/live', '/health/ready'])('%s says up without a key, and nothing else', async (path) => {
    const answer = await app.request(path, NO_KEY);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'application/json',
      '{"status":"up"}',
    ]);
  });

  test.each(['/health/live', '/health/ready'])('%s may be kept by nobody', async (path) => {
    expect((await app.request(path, NO_KEY)).headers.get('cache-control')).toMatch(/no-cache|no-store/);
  });

  test('a wrong key is no obstacle', async () => {
    expect((await app.request('/health/live', { key: 'no-key-of-this-service' })).status).toBe(200);
  });
});

describe('the documentation', () => {
  const app = useApp(createMigratedDatabase);

  /** The addresses that a page names, resolved as a browser would. */
  async function assetsOf(path: string): Promise<URL[]> {
    const answer = await app.request(path, NO_KEY);
    const html = await answer.text();
    return [...html.matchAll(/(?:src|href)\s*=\s*["'](?<address>[^"']+)["']/g)].map(
      (found) => new URL(found[1]!, answer.url),
    );
  }

  test.each(['/docs', '/docs/'])('is a page at %s, without a key', async (path) => {
    const answer = await app.request(path, NO_KEY);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/html/)]);
    expect(await answer.text()).toContain('<div id="swagger-ui">');
  });

  test.each(['/docs', '/docs/'])('at %s gets everything that it needs from this service', async (path) => {
    const assets = await assetsOf(path);
    expect(assets.map(({ pathname }) => pathname)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/swagger-ui\.css$/),
        expect.stringMatching(/swagger-ui-bundle\.js$/),
        expect.stringMatching(/swagger-ui-init\.js$/),
      ]),
    );
    const statuses = await Promise.all(assets.map(async (url) => `${url.origin} ${(await fetch(url)).status}`));
    expect([...new Set(statuses)]).toEqual([`${app.url} 200`]);
  });

  test('lets a browser load and ask nothing anywhere else', async () => {
    const policy = (await app.request('/docs', NO_KEY)).headers.get('content-security-policy') ?? '';
    const sources: Record<string, string> = Object.fromEntries(
      policy.split(';').map((directive) => directive.split(/ (?<rest>.*)/) as [string, string]),
    );
    expect(sources).toMatchObject({ 'default-src': "'none'", 'script-src': "'self'", 'connect-src': "'self'" });
    expect(policy).not.toMatch(/https?:/);
  });

  test('has no script in the page itself, which that policy would stop', async () => {
    const html = await (await app.request('/docs', NO_KEY)).text();
    const scripts = [...html.matchAll(/<script(?<attributes>[^>]*)>(?<text>[^<]*)<\/script>/g)];
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter(({ groups }) => groups?.['text']?.trim() !== '')).toEqual([]);
  });

  test('tries out the service that serves it', async () => {
    const script = await (await app.request('/docs/swagger-ui-init.js', NO_KEY)).text();
    const servers = /"servers":\s*\[\s*\{\s*"url":\s*"(?<first>[^"]+)"/.exec(script)?.groups;
    expect(servers?.['first']).toBe('/v1');
  });

  test('shows the numbers of an answer as they came', async () => {
    const script = await (await app.request('/docs/swagger-ui-init.js', NO_KEY)).text();
    expect(script).toContain(exactNumbersPlugin.toString());
  });

  test('keeps no key in the browser', async () => {
    const script = await (await app.request('/docs/swagger-ui-init.js', NO_KEY)).text();
    expect(script).not.toMatch(/"persistAuthorization":\s*true/);
  });

  test('is the same in JSON and in YAML, without a key', async () => {
    const json = await app.request('/openapi.json', NO_KEY);
    const yaml = await app.request('/openapi.yaml', NO_KEY);
    expect([json.status, yaml.status]).toEqual([200, 200]);
    expect(json.headers.get('content-type')).toMatch(/^application\/json/);
    expect(yaml.headers.get('content-type')).toMatch(/yaml/);
    expect(parse(await yaml.text())).toEqual(await json.json());
  });

  test('names no server but the two environments', async () => {
    const { servers } = (await (await app.request('/openapi.json', NO_KEY)).json()) as { servers: { url: string }[] };
    expect(servers.map(({ url }) => url)).toEqual([
      'https://api.animal-store.example/v1',
      'https://staging.animal-store.example/v1',
    ]);
  });
});

describe('the environment', () => {
  const database = useDatabase(createMigratedDatabase);

  test('names the servers of the description', async () => {
    const app = await startApp(database, {
      PRODUCTION_BASE_URL: 'https://pets.example/shop/v1',
      STAGING_BASE_URL: 'http://localhost:9999/v1',
    });
    const { servers } = (await (await app.request('/openapi.json', NO_KEY)).json()) as { servers: { url: string }[] };
    await app.close();
    expect(servers.map(({ url }) => url)).toEqual(['https://pets.example/shop/v1', 'http://localhost:9999/v1']);
  });

  test('switches the documentation off, and nothing else', async () => {
    const app = await startApp(database, { DOCS_ENABLED: 'false' });
    const gone = [
      '/docs',
      '/docs/',
      '/docs/swagger-ui.css',
      '/docs/swagger-ui-init.js',
      '/docs-json',
      '/docs-yaml',
      '/openapi.json',
      '/openapi.yaml',
    ];
    const errors = await Promise.all(
      gone.map(async (path) => (await readError(await app.request(path, NO_KEY))).status),
    );
    const statuses = [(await app.request('/v1/pets')).status, (await app.request('/health/live')).status];
    await app.close();
    expect(errors).toEqual(gone.map(() => 404));
    expect(statuses).toEqual([200, 200]);
  });
});
