import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { TEST_API_KEY } from '@animal-store/testing';
import { describeInChromium, useChromium } from '../../../test/support/chromium.js';
import { PackedClient } from './packed-client.js';
import { useBuiltServer } from './support.js';

/** A web page with the modules of the package. Its origin differs from the origin of the service. */
class Shop {
  private constructor(private readonly server: Server) {}

  static open(client: PackedClient): Promise<Shop> {
    const server = createServer(({ url = '/' }, answer) => {
      if (!url.endsWith('.js')) {
        answer.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><link rel="icon" href="data:,">');
        return;
      }
      const file = join(client.folder, 'node_modules/@animal-store/client/dist', url);
      answer.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(file));
    });
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        resolve(new Shop(server));
      });
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

describeInChromium('the client in Chromium', () => {
  const chromium = useChromium();
  const variables: Record<string, string> = {};
  let client: PackedClient;
  let shop: Shop;

  beforeAll(async () => {
    client = PackedClient.install();
    shop = await Shop.open(client);
    variables['CORS_ORIGINS'] = shop.origin;
  }, 120_000);

  const server = useBuiltServer(variables);

  afterAll(() => {
    shop.close();
    client.remove();
  });

  /** Runs a program on a page. The program has a client, `store`. Returns the result of the program. */
  async function run(program: string): Promise<{ result: unknown; errors: readonly string[] }> {
    const { page, errors } = await chromium.open();
    await page.goto(shop.origin);
    const options = JSON.stringify({ baseUrl: server.url, apiKey: TEST_API_KEY, retries: 2 });
    const result: unknown = await page.evaluate(`(async () => {
      const { AnimalStore } = await import('/index.js');
      const options = ${options};
      const store = new AnimalStore(options);
      const failureOf = (promise) => promise.then(String, ({ name, code, status, requestId }) => ({ name, code, status, requestId }));
      ${program}
    })()`);
    return { result, errors };
  }

  test('is exact in both directions', async () => {
    const { result, errors } = await run(`
      const digits = [];
      for (const categoryId of [9007199254740992n, 9007199254740993n, 9223372036854775807n]) {
        const { id } = await store.pets.create({ name: 'Exact', categoryId });
        for await (const animal of store.pets.list({ limit: 2 })) if (animal.id === id) digits.push(String(animal.categoryId));
      }
      return digits;
    `);
    expect(result).toEqual(['9007199254740992', '9007199254740993', '9223372036854775807']);
    expect(errors).toEqual([]);
  });

  test('reads what names the request, and what tells of a deprecation', async () => {
    const { result } = await run(`
      const notices = [];
      const strange = new AnimalStore({ ...options, apiKey: 'a-key-of-nobody-at-all' });
      const warn = console.warn;
      console.warn = (text) => notices.push(text);
      await store.pets.create({ name: 'Rex', categoryId: 7 }).then(({ id }) => store.pets.get(id));
      console.warn = warn;
      return [await failureOf(strange.pets.list().page()), notices];
    `);
    expect(result).toEqual([
      {
        name: 'ApiError',
        code: 'unauthorized',
        status: 401,
        requestId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      },
      [expect.stringContaining('removed on 2030-12-05')],
    ]);
  });

  test('ends with its signal', async () => {
    const { result } = await run(`
      const signal = AbortSignal.abort();
      const { name, cause } = await store.pets.list({ signal }).page().catch((error) => error);
      return [name, cause.name];
    `);
    expect(result).toEqual(['AbortedError', 'AbortError']);
  });
});
