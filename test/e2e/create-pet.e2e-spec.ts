import { petRules } from '@animal-store/pets-domain';
import { createMigratedDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { RawConnection, requestBytes } from '../support/raw-http.js';
import { TEST_API_KEY, useApp, type RunningApp } from '../support/running-app.js';

const KEY = `Authorization: Bearer ${TEST_API_KEY}`;
const JSON_TYPE = 'application/json';
const CATEGORY = 'must be an integer between -9223372036854775808 and 9223372036854775807, written as a JSON number';
const STATUS = 'status must be one of available, pending, sold';

/** Sends a body unchanged. */
function post(app: RunningApp, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return app.request('/v1/pets', { method: 'POST', headers: { 'content-type': JSON_TYPE, ...headers }, body });
}

describe('createPet', () => {
  const app = useApp(createMigratedDatabase);

  test('answers 201 with the stored pet and its address', async () => {
    const answer = await app.createPet({ name: 'Rex', categoryId: 7 });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('location')).toBe('/v1/pets/1');
    expect(await answer.text()).toBe('{"id":1,"name":"Rex","categoryId":7,"status":"available"}');
  });

  test.each([
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['9007199254740993', '9007199254740993'],
    ['1e3', '1000'],
  ])('takes the category id %s as the integer %s', async (written, stored) => {
    const created = await post(app, `{"name":"Rex","categoryId":${written}}`);
    const text = await created.text();
    expect(text).toContain(`"categoryId":${stored},`);
    expect(await (await app.request(created.headers.get('location')!)).text()).toBe(text);
  });

  test('answers what a later read answers, byte for byte and with the same entity tag', async () => {
    const created = await app.createPet({ name: 'Räx \u{1F98A} \u2028', categoryId: -7, status: 'sold' });
    const read = await app.request(created.headers.get('location')!);
    expect(await read.text()).toBe(await created.text());
    expect(read.headers.get('etag')).toBe(created.headers.get('etag'));
    expect(created.headers.get('etag')).toMatch(/^"[^"]+"$/);
  });
});

const PET = '{"name":"Rex","categoryId":7';
const MEMBERS = Object.keys(petRules).join(', ');

/** Each rule of names, numbers and JSON is tried further in the unit tests of `Pet` and of the guard of bodies. */
const BAD_PETS: readonly [string, string, string][] = [
  [
    'a name with half a pair',
    '{"name":"a\\ud800b","categoryId":7}',
    'name must be well-formed Unicode: it contains half of a surrogate pair',
  ],
  ['a number as the name', '{"name":1.00000000000000000001,"categoryId":7}', 'name must be a string'],
  ...['1.5', '9223372036854775808', '"7"', 'null'].map((written): [string, string, string] => [
    `the category id ${written}`,
    `{"name":"Rex","categoryId":${written}}`,
    `categoryId ${CATEGORY}`,
  ]),
  ...['null', '""', '"Sold"'].map((written): [string, string, string] => [
    `the status ${written}`,
    `${PET},"status":${written}}`,
    STATUS,
  ]),
  ['an id', `${PET},"id":5}`, `unknown member "id": allowed are ${MEMBERS}`],
  ['a method of its class', `${PET},"toNewPet":1}`, `unknown member "toNewPet": allowed are ${MEMBERS}`],
  ['a misspelt member', `${PET},"stauts":"sold"}`, 'unknown member "stauts": did you mean status?'],
  [
    'everything wrong',
    '{"name":"","categoryId":"7","status":"gone","stat":1,"breed":2}',
    `name must contain at least one non-blank character; categoryId ${CATEGORY}; ${STATUS}; unknown member "stat": did you mean status?; unknown member "breed": allowed are ${MEMBERS}`,
  ],
  ['a list', `[${PET}}]`, 'The body must be a JSON object'],
  ['nothing', '', 'A body is required: send a JSON object'],
];

describe('createPet refuses', () => {
  const app = useApp(createMigratedDatabase);

  test.each(BAD_PETS)('%s with 400 and what to send instead', async (_name, body, message) => {
    const { code, status, message: told } = await readError(await post(app, body));
    expect([code, status]).toEqual(['invalid_request', 400]);
    expect(told).toBe(message);
  });

  test('and has stored nothing of all that', async () => {
    expect(await (await app.request('/v1/pets')).text()).toBe('[]');
  });
});

describe('the body of createPet', () => {
  const REX = '{"name":"Rex","categoryId":7}';
  const app = useApp(createMigratedDatabase);

  test('is refused with 415 when it is a text', async () => {
    const answer = await post(app, REX, { 'content-type': 'text/plain' });
    expect(await readError(answer)).toMatchObject({ code: 'unsupported_media_type', status: 415 });
  });

  test('is refused with 415 when it is encoded', async () => {
    const answer = await post(app, REX, { 'content-encoding': 'gzip' });
    expect(await readError(answer)).toMatchObject({ code: 'unsupported_media_type', status: 415 });
  });

  test('is asked for with 100 Continue once the key and the headers are good', async () => {
    const connection = await RawConnection.open(app.port);
    const announced = [KEY, `Content-Type: ${JSON_TYPE}`, 'Expect: 100-continue', `Content-Length: ${REX.length}`];
    connection.send(requestBytes('POST', '/v1/pets', announced));
    const interim = await connection.response();
    connection.send(REX);
    const final = await connection.response();
    connection.close();
    expect([interim.status, final.status]).toEqual([100, 201]);
  });
});

describe('a body of createPet that is larger than BODY_LIMIT', () => {
  const app = useApp(createMigratedDatabase, { BODY_LIMIT: '100' });

  test.each([
    [100, 201],
    [101, 413],
  ])('has its last byte at 100: %i bytes are answered with %i', async (length, status) => {
    const answer = await post(app, '{"name":"Rex","categoryId":7}'.padEnd(length));
    expect(answer.status).toBe(status);
  });

  test('is refused with 413 that a client can read which sends it all first', async () => {
    const connection = await RawConnection.open(app.port);
    connection.send(requestBytes('POST', '/v1/pets', [KEY, `Content-Type: ${JSON_TYPE}`, 'Content-Length: 4194304']));
    for (let sent = 0; sent < 64; sent++) {
      connection.send(Buffer.alloc(65_536, 0x20));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const answer = await connection.response();
    connection.close();
    const message = 'The body is larger than 100 bytes, the most that is accepted';
    expect(await readError(answer)).toEqual({ code: 'payload_too_large', message, status: 413 });
  });
});
