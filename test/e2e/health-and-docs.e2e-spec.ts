import { runInNewContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import { SwaggerModule } from '@nestjs/swagger';
import { parse } from 'yaml';
import { exactNumbersPlugin } from '../../libs/http/src/openapi/exact-numbers.plugin.js';
import { createMigratedDatabase, DATABASES, useDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { rawExchange, requestBytes, type RawAnswer } from '../support/raw-http.js';
import { startApp, useApp } from '../support/running-app.js';

const { jest } = import.meta;

const NO_KEY = { key: null };

interface PageOptions {
  readonly spec: { readonly servers: readonly { readonly url: string }[] };
}

/** The path of a file with the hash of its content in its name, for example `/docs/swagger-ui.0123456789abcdef.css`. */
const HASHED = /^\/docs\/[a-z-]+(?:-(?:16x16|32x32))?\.[0-9a-f]{16}\.[a-z]+$/;

/** The options that the script of the page passes to Swagger UI when the browser loads it from this address. */
function optionsOf(script: string, address: string): PageOptions {
  const SwaggerUIBundle = Object.assign(jest.fn<undefined, [PageOptions]>(), { presets: {} });
  const document = { currentScript: { src: address }, documentElement: { classList: { toggle: jest.fn() } } };
  const matchMedia = () => ({ matches: false, addEventListener: jest.fn() });
  runInNewContext(script, { SwaggerUIBundle, URL, document, matchMedia });
  return SwaggerUIBundle.mock.calls[0]![0];
}

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

  /** The addresses in a page, resolved as a browser resolves them. */
  async function assetsOf(path: string): Promise<URL[]> {
    const answer = await app.request(path, NO_KEY);
    const html = await answer.text();
    return [...html.matchAll(/(?:src|href)\s*=\s*["'](?<address>[^"']+)["']/g)].map(
      (found) => new URL(found[1]!, answer.url),
    );
  }

  async function pageScript(): Promise<string> {
    return await (await app.request('/docs/swagger-ui-init.js', NO_KEY)).text();
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
        expect.stringMatching(/swagger-ui\.[0-9a-f]{16}\.css$/),
        expect.stringMatching(/docs\.[0-9a-f]{16}\.css$/),
        expect.stringMatching(/swagger-ui-bundle\.[0-9a-f]{16}\.js$/),
        expect.stringMatching(/swagger-ui-init\.[0-9a-f]{16}\.js$/),
        '/openapi.yaml',
        '/openapi.json',
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

  test('is laid out for the width of a phone', async () => {
    const html = await (await app.request('/docs', NO_KEY)).text();
    expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
  });

  test('says how to get a key', async () => {
    expect(await (await app.request('/docs', NO_KEY)).text()).toContain('npm run keys -- create');
  });

  test.each(['/docs', '/docs/'])('at %s gets files that are asked for again within a year by nobody', async (path) => {
    const files = (await assetsOf(path)).filter(({ pathname }) => /\.(?:css|js|png)$/.test(pathname));
    expect(files.filter(({ pathname }) => !HASHED.test(pathname))).toEqual([]);
    const fields = await Promise.all(files.map(async (url) => (await fetch(url)).headers.get('cache-control')));
    expect(new Set(fields)).toEqual(new Set(['public, max-age=31536000, immutable']));
  });

  test('has other names for other files', async () => {
    const other = await startApp(app.database, { STAGING_BASE_URL: 'https://other.example/v1' });
    const html = await (await other.request('/docs', NO_KEY)).text();
    await other.close();
    const names = (text: string) => [...text.matchAll(/docs\/(?<file>[a-z0-9.-]+)"/g)].map(([, name]) => name!);
    const before = names(await (await app.request('/docs', NO_KEY)).text());
    const changed = names(html).filter((name) => !before.includes(name));
    expect(changed).toEqual([expect.stringMatching(/^swagger-ui-init\.[0-9a-f]{16}\.js$/)]);
  });

  test('sends the page of another version what it has, and lets nobody keep that', async () => {
    const answer = await app.request('/docs/swagger-ui.0123456789abcdef.css', NO_KEY);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-cache']);
  });

  test.each([
    ['/docs/swagger-ui-init.js', '/v1'],
    ['/shop/api/docs/swagger-ui-init.js', '/shop/api/v1'],
  ])('whose script a browser finds at %s tries out %s, and no server that its policy forbids', async (path, base) => {
    const { spec } = optionsOf(await pageScript(), `https://shop.example${path}`);
    expect(spec.servers.map(({ url }) => url)).toEqual([base]);
  });

  test('leads to the guide of the service that serves it, and not to that of production', async () => {
    const { spec } = optionsOf(await pageScript(), 'https://shop.example/shop/docs/swagger-ui-init.js');
    const text = JSON.stringify(spec);
    expect(text).toContain('(https://shop.example/shop/docs/guide/errors#not_found)');
    expect(text).not.toContain('api.animal-store.example/docs/guide');
  });

  test('shows the numbers of an answer as they came', async () => {
    expect(await pageScript()).toContain(exactNumbersPlugin.toString());
  });

  test('keeps no key in the browser, and sends the document to no validator', async () => {
    expect(optionsOf(await pageScript(), `${app.url}/docs/swagger-ui-init.js`)).toMatchObject({
      persistAuthorization: false,
      validatorUrl: 'none',
      tryItOutEnabled: true,
      displayRequestDuration: true,
    });
  });

  test.each([
    '/docs/package.json',
    '/docs/README.md',
    '/docs/LICENSE',
    '/docs/index.html',
    '/docs/swagger-ui-bundle.js.map',
    '/docs/swagger-ui.css.map',
    '/docs/swagger-ui-es-bundle.js',
    '/docs/swagger-initializer.js',
    '/docs/swagger-ui.css/',
    '/docs/index.css',
    '/docs/nope.0123456789abcdef.js',
    '/docs/guide/nope',
    '/docs/guide/README.md',
  ])('has nothing at %s, which the page does not need', async (path) => {
    expect((await readError(await app.request(path, NO_KEY))).status).toBe(404);
  });

  const FILES: [string, string][] = [
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/', 'text/html; charset=utf-8'],
    ['/docs/swagger-ui-init.js', 'text/javascript; charset=utf-8'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
    ['/docs/docs.css', 'text/css; charset=utf-8'],
    ['/docs/favicon-32x32.png', 'image/png'],
    ['/docs/favicon-16x16.png', 'image/png'],
    ['/openapi.json', 'application/json'],
    ['/openapi.yaml', 'application/yaml'],
  ];
  const COMPRESSED = [
    '/docs/swagger-ui-init.js',
    '/docs/swagger-ui-bundle.js',
    '/docs/swagger-ui.css',
    '/openapi.json',
    '/openapi.yaml',
  ];

  async function ask(path: string, fields: string[] = [], method = 'GET'): Promise<RawAnswer> {
    return await rawExchange(app.port, requestBytes(method, path, ['X-Request-Id: same', ...fields]), method);
  }

  test.each(FILES)('at %s is %s, with the standing header fields', async (path, type) => {
    const { headers } = await ask(path);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': type,
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding',
      'x-request-id': 'same',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("script-src 'self'") as string,
      etag: expect.stringMatching(/^"[^"]+"$/) as string,
    });
  });

  test.each(FILES)('at %s has the same header fields for HEAD', async (path) => {
    const [get, head] = [await ask(path), await ask(path, [], 'HEAD')];
    const without = ({ headers }: RawAnswer) => [...headers].filter(([name]) => name !== 'date');
    expect(without(head)).toEqual(without(get));
  });

  test.each(COMPRESSED)('at %s comes compressed to who takes that, the same bytes each time', async (path) => {
    const plain = await ask(path);
    const answers = [
      await ask(path, ['Accept-Encoding: gzip, deflate, br']),
      await ask(path, ['Accept-Encoding: gzip']),
    ];
    expect(answers.map(({ headers }) => headers.get('content-encoding'))).toEqual(['gzip', 'gzip']);
    expect(answers[0]!.body.equals(answers[1]!.body)).toBe(true);
    expect(gunzipSync(answers[0]!.body).equals(plain.body)).toBe(true);
    expect(answers[0]!.body.length).toBeLessThan(plain.body.length / 2);
    expect(answers[0]!.headers.get('etag')).not.toBe(plain.headers.get('etag'));
  });

  test.each(['identity', 'gzip;q=0', 'br', '*;q=0'])('comes as it is to who accepts %s', async (accepted) => {
    const { headers } = await ask('/openapi.json', [`Accept-Encoding: ${accepted}`]);
    expect([headers.get('content-encoding'), headers.get('content-length')]).toEqual([
      null,
      (await ask('/openapi.json')).headers.get('content-length'),
    ]);
  });

  test.each(FILES)('at %s is not sent again to who has it', async (path) => {
    for (const accepted of ['gzip', 'identity']) {
      const tag = (await ask(path, [`Accept-Encoding: ${accepted}`])).headers.get('etag') ?? '';
      const again = await ask(path, [`Accept-Encoding: ${accepted}`, `If-None-Match: ${tag}`]);
      expect([again.status, again.headers.get('etag'), again.headers.get('vary'), again.body.length]).toEqual([
        304,
        tag,
        'Accept-Encoding',
        0,
      ]);
    }
  });

  test.each(['/docs', '/docs/', '/docs/swagger-ui.css', '/openapi.yaml'])(
    'at %s takes no other method',
    async (path) => {
      const answer = await app.request(path, { method: 'DELETE', key: null });
      expect([(await readError(answer)).status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    },
  );

  test('ends the connection of a client that goes on to send a body', async () => {
    expect((await ask('/docs', ['Content-Length: 1000000'])).headers.get('connection')).toBe('close');
  });

  test('is made once, however often it is asked for', async () => {
    const made = jest.spyOn(SwaggerModule, 'createDocument');
    const fresh = await startApp(app.database);
    await Promise.all(FILES.map(async ([path]) => (await fresh.request(path, NO_KEY)).arrayBuffer()));
    const times = made.mock.calls.length;
    made.mockRestore();
    await fresh.close();
    expect(times).toBe(1);
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

  test('is among the servers to try out where it is of the origin that shows the page', async () => {
    const app = await startApp(database, {
      PRODUCTION_BASE_URL: 'https://pets.example/v1',
      STAGING_BASE_URL: 'https://pets.example/staging/v1',
    });
    const script = await (await app.request('/docs/swagger-ui-init.js', NO_KEY)).text();
    await app.close();
    const { spec } = optionsOf(script, 'https://pets.example/docs/swagger-ui-init.js');
    expect(spec.servers.map(({ url }) => url)).toEqual(['/v1', 'https://pets.example/staging/v1']);
  });

  test('switches the documentation off, and nothing else', async () => {
    const app = await startApp(database, { DOCS_ENABLED: 'false' });
    const gone = [
      '/docs',
      '/docs/',
      '/docs/swagger-ui.css',
      '/docs/swagger-ui-init.js',
      '/docs/guide',
      '/docs/guide/',
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
