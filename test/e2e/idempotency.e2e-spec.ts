import { randomUUID } from 'node:crypto';
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
  });
});
