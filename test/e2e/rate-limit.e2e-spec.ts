import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { startApp, type RequestOptions, type RunningApp } from '../support/running-app.js';
import { createApiKey } from '../support/test-api-key.js';

const LIMIT = 3;

const database = useDatabase(createMigratedDatabase);

/** The fields of draft-ietf-httpapi-ratelimit-headers. */
function fieldsOf({ headers }: Response): (string | null)[] {
  return [headers.get('ratelimit-policy'), headers.get('ratelimit')];
}

describe('with RATE_LIMIT_PER_MINUTE', () => {
  let app: RunningApp;
  let key: string;

  beforeAll(async () => {
    app = await startApp(database, { RATE_LIMIT_PER_MINUTE: String(LIMIT) });
  });

  afterAll(async () => {
    await app.close();
  });

  // Every test has its own caller, which has not sent any request yet.
  beforeEach(async () => {
    key = await createApiKey(app);
  });

  async function send(path = '/v1/pets', options: RequestOptions = {}): Promise<Response> {
    return await app.request(path, { key, ...options });
  }

  async function useUp(): Promise<void> {
    for (let sent = 0; sent < LIMIT; sent += 1) expect((await send()).status).toBe(200);
  }

  test('every answer tells the policy and what is left of it', async () => {
    for (const left of [2, 1, 0]) {
      expect(fieldsOf(await send())).toEqual([
        '"default";q=3;w=60',
        expect.stringMatching(new RegExp(`^"default";r=${left};t=(?:[1-9]|[1-5][0-9]|60)$`)),
      ]);
    }
  });

  test('a request beyond the limit is refused, and told when to try again', async () => {
    await useUp();
    const answer = await send();
    expect(await readError(answer)).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(answer.headers.get('retry-after')).toMatch(/^(?:[1-9]|[1-5][0-9]|60)$/);
    expect(fieldsOf(answer)).toEqual(['"default";q=3;w=60', expect.stringMatching(/^"default";r=0;t=\d+$/)]);
  });

  test.each<[string, string, RequestOptions]>([
    ['an unknown address', '/v1/nowhere', {}],
    ['a wrong method', '/v1/pets', { method: 'DELETE' }],
    ['an invalid request', '/v1/pets?limit=0', {}],
    ['a body that is no JSON', '/v1/pets', { method: 'POST', body: 'x' }],
  ])('%s counts as any other', async (_what, path, options) => {
    expect(fieldsOf(await send(path, options))[1]).toMatch(/^"default";r=2;/);
    await send();
    await send();
    expect((await send(path, options)).status).toBe(429);
  });

  test('public addresses have no limit', async () => {
    for (let sent = 0; sent < 2 * LIMIT; sent += 1) {
      const answer = await send('/health/live', { key: null });
      expect([answer.status, ...fieldsOf(answer)]).toEqual([200, null, null]);
    }
  });
});
