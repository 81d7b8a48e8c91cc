import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { ApiKey, ApiKeyAdministration, ApiKeys, generateApiKey, hashApiKey } from '@animal-store/auth';
import { orderingLock } from '../../libs/persistence/src/sql/advisory-locks.js';
import { createMigratedDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { rawExchange, requestBytes } from '../support/raw-http.js';
import { TEST_API_KEY, useApp, useTwoApps, type RequestOptions, type RunningApp } from '../support/running-app.js';
import { withClient } from '../support/database-client.js';

const REX = '{"name":"Rex","categoryId":7}';

/** Sends createPet with an `Idempotency-Key`. */
function add(app: RunningApp, idempotencyKey: string, body = REX, options: RequestOptions = {}): Promise<Response> {
  return app.request('/v1/pets', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body,
    ...options,
  });
}

/** The parts of a response that matter to a client. */
async function seen(answer: Response): Promise<{ status: number; location: string | null; body: string }> {
  return { status: answer.status, location: answer.headers.get('location'), body: await answer.text() };
}

async function countPets(app: RunningApp): Promise<number> {
  return ((await (await app.request('/v1/pets?limit=100')).json()) as unknown[]).length;
}

describe('createPet with an Idempotency-Key', () => {
  const app = useApp(createMigratedDatabase);

  test('gives the first answer again, byte for byte, and says so', async () => {
    const key = randomUUID();
    const body = '{"name":"Räx \u{1F98A} \\u2028","categoryId":-9223372036854775808,"status":"sold"}';
    const first = await add(app, key, body);
    const again = await add(app, key, body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(await seen(again)).toEqual(await seen(first));
  });

  test.each([
    ['the order of its members', '{"categoryId":7,"name":"Rex"}'],
    ['another spelling of its number', '{"name":"Rex","categoryId":70e-1}'],
    ['the status that is the default', '{"name":"Rex","categoryId":7,"status":"available"}'],
  ])('takes a body for the same that differs in %s', async (_what, body) => {
    const key = randomUUID();
    const first = await add(app, key);
    expect(await seen(await add(app, key, body))).toEqual(await seen(first));
  });

  test('refuses with 422 another body', async () => {
    const key = randomUUID();
    await add(app, key);
    expect(await readError(await add(app, key, '{"name":"Rex","categoryId":7,"status":"sold"}'))).toEqual({
      code: 'idempotency_key_reused',
      message: 'The Idempotency-Key was used before with another body: send a new key with a new request',
      status: 422,
    });
  });

  test('does not remember a refusal: the corrected body may come under the same key', async () => {
    const key = randomUUID();
    expect((await add(app, key, '{"name":"Rex"}')).status).toBe(400);
    const corrected = await add(app, key);
    expect([corrected.status, corrected.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });

  test('keeps the keys of one API key apart from those of another', async () => {
    const other = generateApiKey('test');
    await app.app.get(ApiKeys, { strict: false }).put(new ApiKey('another holder', hashApiKey(other)));
    const key = randomUUID();
    const mine = await add(app, key);
    const theirs = await add(app, key, '{"name":"Mia","categoryId":7}', { key: other });
    expect([theirs.status, theirs.headers.get('location') === mine.headers.get('location')]).toEqual([201, false]);
  });

  test('gives its replay to a holder whose API key was rotated with a grace, whichever of the two asks', async () => {
    const administration = app.app.get(ApiKeyAdministration, { strict: false });
    const [before, after] = [generateApiKey('test'), generateApiKey('test')];
    const key = randomUUID();
    await administration.create(new ApiKey('rotated', hashApiKey(before)), 'me');
    await administration.rotate(new ApiKey('rotated', hashApiKey(after)), 3_600_000, 'me');
    const first = await seen(await add(app, key, REX, { key: after }));
    expect(await seen(await add(app, key, REX, { key: before }))).toEqual(first);
  });

  test.each([
    ['255 characters', '!'.repeat(255)],
    ['a string in quotes', '"8e03978e-40d5-43dd-bc93-6894a57f9324"'],
  ])('takes a key of %s', async (_what, key) => {
    const first = await add(app, key);
    const again = await add(app, key);
    expect([first.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  });

  test.each([
    ['empty', ['Idempotency-Key:']],
    ['longer than 255 characters', [`Idempotency-Key: ${'x'.repeat(256)}`]],
    ['with a letter outside of ASCII', ['Idempotency-Key: sch\u00f6n']],
    ['sent twice', ['Idempotency-Key: a', 'Idempotency-Key: b']],
  ])('refuses with 400 a key that is %s, and adds nothing', async (_what, fields) => {
    const before = await countPets(app);
    const headers = [
      `Authorization: Bearer ${TEST_API_KEY}`,
      'Content-Type: application/json',
      `Content-Length: ${REX.length}`,
      ...fields,
    ];
    const answer = await rawExchange(app.port, Buffer.from(requestBytes('POST', '/v1/pets', headers, REX), 'latin1'));
    expect(await readError(answer)).toEqual({
      code: 'invalid_request',
      message: 'Idempotency-Key must be sent once, as 1 to 255 visible ASCII characters without blanks',
      status: 400,
    });
    expect(await countPets(app)).toBe(before);
  });
});

describe('what was added under an Idempotency-Key', () => {
  describe('on one PostgreSQL database', () => {
    const [first, second] = useTwoApps(createMigratedDatabase);

    function age(key: string, hours: number): Promise<unknown> {
      return withClient(first.database.url, (client) =>
        client.query(`update idempotency_keys set created_at = now() - $2 * interval '1 hour' where key = $1`, [
          key,
          hours,
        ]),
      );
    }

    test('is one pet when two instances are asked at once', async () => {
      for (let round = 0; round < 10; round++) {
        const key = randomUUID();
        const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => add(n % 2 === 0 ? first : second, key)));
        const distinct = new Set((await Promise.all(answers.map(seen))).map((answer) => JSON.stringify(answer)));
        const replayed = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
        expect([distinct.size, replayed.length]).toEqual([1, 9]);
      }
      expect(await countPets(first)).toBe(10);
    });

    test('is remembered for 24 hours, swept or not: then the key is as good as new', async () => {
      const key = randomUUID();
      const old = await seen(await add(first, key));
      await age(key, 23.99);
      expect(await seen(await add(second, key))).toEqual(old);
      await age(key, 24.01);
      const mia = '{"name":"Mia","categoryId":7}';
      const fresh = await add(first, key, mia);
      expect([fresh.status, fresh.headers.get('idempotent-replayed')]).toEqual([201, null]);
      const again = await add(second, key, mia);
      expect([again.headers.get('idempotent-replayed'), await seen(again)]).toEqual(['true', await seen(fresh)]);
    });

    test('is one pet when an old key is used again by many at once', async () => {
      const key = randomUUID();
      const old = await seen(await add(first, key));
      await age(key, 25);
      const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => add(n % 2 === 0 ? first : second, key)));
      const distinct = new Set((await Promise.all(answers.map(seen))).map(({ body }) => body));
      expect([distinct.size, distinct.has(old.body)]).toEqual([1, false]);
    });

    /** While `work` runs, the statement of every addition of every instance waits for a lock. */
    async function whileAdditionsWait<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
      return await withClient(first.database.url, async (client) => {
        await client.query(`begin; select ${orderingLock('"pets"')}`);
        return await work(client);
      });
    }

    /** Resolves with the backends that wait for that lock, as soon as there are `count` of them. */
    async function waitingBackends(client: pg.Client, count: number): Promise<number[]> {
      for (;;) {
        const { rows } = await client.query<{ pid: number }>(
          `select pid from pg_locks where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`,
        );
        if (rows.length === count) return rows.map(({ pid }) => pid);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }

    test('is safe to ask for again after a 503 that leaves open whether it was added', async () => {
      const key = randomUUID();
      const before = await countPets(first);
      const lost = await whileAdditionsWait(async (client) => {
        const answer = add(first, key);
        for (const pid of await waitingBackends(client, 1))
          await client.query('select pg_terminate_backend($1, 5000)', [pid]);
        return await answer;
      });
      expect([lost.status, lost.headers.get('retry-after')]).toEqual([503, '1']);
      expect([(await add(first, key)).status, await countPets(first)]).toEqual([201, before + 1]);
    });
  });
});
