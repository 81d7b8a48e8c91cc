import { readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { generateApiKey } from '@animal-store/auth';
import { createMigratedDatabase } from '../support/databases.js';
import { answerFaults, FIXED_FIELDS, listedFields, obeys } from '../support/described-answers.js';
import { answerOf, examplesOf, headersOf, type OpenApiDocument, type Operation } from '../support/openapi.js';
import { rawExchange, requestBytes, type RawAnswer } from '../support/raw-http.js';
import { startApp, TEST_API_KEY, type RunningApp } from '../support/running-app.js';
import { withClient } from '../support/sql.js';

/** A page with the statuses and header fields that the service sent, for readers. `WRITE_ANSWERS=1` writes the page again. */
const TABLE = join(import.meta.dirname, '../../docs/answers.md');

const KEY = `Authorization: Bearer ${TEST_API_KEY}`;
const JSON_TYPE = 'Content-Type: application/json';
const NEW_PET = '{"name":"Bella","categoryId":7}';

/** The time limit of a request in this test, in milliseconds. */
const SHORT_MS = 300;

const LIST = { path: '/v1/pets', shownPath: '/v1/pets', wrongQuery: 'limit=0', usualQuery: 'limit=1' };
const ONE = { path: '/v1/pets/1', shownPath: '/v1/pets/{petId}', wrongQuery: 'verbose=1', usualQuery: '' };

/** The operations of the service itself. The operations of modules are tested by the modules. */
const OPERATIONS = [
  { id: 'listPets', method: 'GET', ...LIST },
  { id: 'headListPets', method: 'HEAD', ...LIST },
  { id: 'createPet', method: 'POST', ...LIST, body: NEW_PET },
  { id: 'optionsListPets', method: 'OPTIONS', ...LIST },
  { id: 'getPet', method: 'GET', ...ONE },
  { id: 'headGetPet', method: 'HEAD', ...ONE },
  { id: 'optionsGetPet', method: 'OPTIONS', ...ONE },
];

interface Asked {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

interface Sent {
  readonly id: string;
  readonly answer: RawAnswer;
}

/** The bytes of a request for an operation, with a body if the operation takes one. */
function bytesOf({ method, path, body }: Asked, fields: readonly string[] = [KEY], sentBody = body): string {
  const bodyFields = sentBody === undefined ? [] : [JSON_TYPE, `Content-Length: ${Buffer.byteLength(sentBody)}`];
  return requestBytes(method, path, [...fields, ...bodyFields], sentBody);
}

async function ask({ port }: RunningApp, asked: Asked, fields?: readonly string[], body?: string): Promise<RawAnswer> {
  return await rawExchange(port, bytesOf(asked, fields, body), asked.method);
}

/** Makes a service answer each operation with every possible response. */
async function provoke(usual: RunningApp, limited: RunningApp, broken: RunningApp, away: RunningApp): Promise<Sent[]> {
  const sent: Sent[] = [];
  // Each of these requests waits, so they are all sent at the same time.
  const waiting: Promise<unknown>[] = [];
  const note = async (asked: Asked, answer: Promise<RawAnswer>) => sent.push({ id: asked.id, answer: await answer });
  const unknownKey = `Authorization: Bearer ${generateApiKey('test')}`;

  await rawExchange(limited.port, requestBytes('GET', '/v1/pets', [KEY]));
  for (const asked of OPERATIONS) {
    const { method, path, wrongQuery, usualQuery } = asked;
    const at = (other: string) => ({ ...asked, path: other });
    await note(asked, ask(usual, asked));
    await note(asked, ask(usual, asked, []));
    await note(asked, ask(usual, asked, [unknownKey]));
    await note(asked, ask(limited, asked));
    await note(asked, ask(usual, asked, [KEY, `X-Large: ${'x'.repeat(20_000)}`]));
    const longExtension = requestBytes(method, path, [KEY, 'Transfer-Encoding: chunked'], `5;${'x'.repeat(20_000)}`);
    await note(asked, rawExchange(usual.port, longExtension, method));
    waiting.push(
      note(asked, rawExchange(usual.port, `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nX-Slow: `, method)),
    );
    if (method === 'OPTIONS') {
      // OPTIONS has no handler that could fail. Only the lookup of the key can fail.
      await note(asked, ask(broken, asked, [unknownKey]));
      await note(asked, ask(away, asked, [unknownKey]));
      await note(asked, ask(usual, at(`${path}?${wrongQuery}`)));
      continue;
    }
    await note(asked, ask(broken, asked));
    await note(asked, ask(away, asked));
    if (method !== 'HEAD') await note(asked, rawExchange(usual.port, requestBytes('DELETE', path, [KEY])));
    if (method === 'POST') continue;
    await note(asked, ask(usual, at(`${path}?${wrongQuery}`)));
    const read = usualQuery === '' ? asked : at(`${path}?${usualQuery}`);
    const answer = await ask(usual, read);
    await note(asked, Promise.resolve(answer));
    await note(asked, ask(usual, read, [KEY, `If-None-Match: ${answer.headers.get('etag') ?? ''}`]));
    if (path !== LIST.path) await note(asked, ask(usual, at('/v1/pets/no-id')));
  }

  const create = OPERATIONS.find(({ id }) => id === 'createPet')!;
  const named = [KEY, 'Idempotency-Key: provoked'];
  await note(create, ask(usual, create, [KEY], '{}'));
  await note(create, ask(usual, create, named));
  await note(create, ask(usual, create, named));
  await note(create, ask(usual, create, named, '{"name":"Luna","categoryId":7}'));
  await note(create, ask(usual, create, [KEY], ' '.repeat(1024 ** 2 + 1)));
  await note(create, ask(usual, create, [KEY, 'Content-Encoding: compress']));
  await note(create, rawExchange(usual.port, requestBytes('POST', '/v1/pets', [KEY, 'Content-Length: 1'], 'x')));
  const part = requestBytes('POST', '/v1/pets', [KEY, JSON_TYPE, 'Content-Length: 9'], '{');
  waiting.push(note(create, rawExchange(usual.port, part, 'POST')));
  await Promise.all(waiting);
  return sent;
}

let document: OpenApiDocument;
let sent: Sent[];
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const database = await createMigratedDatabase();
  const brokenDatabase = await createMigratedDatabase();
  const noDatabase = {
    ...database,
    environment: { ...database.environment, DATABASE_URL: 'postgresql://127.0.0.1:1/none' },
  };
  const limit = { RATE_LIMIT_PER_MINUTE: '600' };
  const usual = await startApp(database, limit);
  const limited = await startApp(database, { RATE_LIMIT_PER_MINUTE: '1' });
  const broken = await startApp(brokenDatabase, limit);
  const away = await startApp(noDatabase, limit);
  for (const app of [usual, limited, broken, away]) closing.push(() => app.close());
  for (const made of [database, brokenDatabase]) closing.push(() => made.remove());

  await withClient(brokenDatabase.url, (client) =>
    client.query('alter table pets rename to no_pets; alter table api_keys rename to no_api_keys'),
  );
  for (const name of ['Bella', 'Milo']) await usual.createPet({ name, categoryId: 7 });
  const server: Server = usual.app.getHttpServer();
  server.headersTimeout = server.requestTimeout = SHORT_MS;
  document = (await (await usual.request('/openapi.json', { key: null })).json()) as OpenApiDocument;
  sent = await provoke(usual, limited, broken, away);
}, 60_000);

afterAll(async () => {
  for (const close of closing) await close();
});

function operation(id: string): Operation {
  const found = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`The document has no operation ${id}`);
  return found;
}

/** The names of the header fields for each status of an operation, either as documented or as received. */
type Fields = ReadonlyMap<string, readonly string[]>;

function describedFields(id: string): Fields {
  const described = operation(id);
  return new Map(
    Object.keys(described.responses).map((status) => [
      status,
      headersOf(document, answerOf(document, described, status)).map(([name]) => name),
    ]),
  );
}

function sentFields(id: string): Fields {
  const fields = new Map<string, string[]>();
  for (const { answer } of sent.filter((one) => one.id === id)) {
    const status = String(answer.status);
    fields.set(status, [...new Set([...(fields.get(status) ?? []), ...listedFields(answer)])]);
  }
  return fields;
}

describe.each(OPERATIONS)('of $id', ({ id }) => {
  test('every status and header field that is sent is described, each value as it is described', () => {
    const faults = sent
      .filter((one) => one.id === id)
      .flatMap(({ answer }) => answerFaults(document, operation(id), answer));
    expect([...new Set(faults)]).toEqual([]);
  });

  test('every status and header field that is described is sent', () => {
    const came = sentFields(id);
    const unsent = [...describedFields(id)].flatMap(([status, names]) =>
      names
        .filter((name) => came.get(status)?.includes(name.toLowerCase()) !== true)
        .map((name) => `${status} ${name}`)
        .concat(came.has(status) ? [] : [status]),
    );
    expect(unsent).toEqual([]);
  });
});

describe('the document', () => {
  test('tells in words the fields that every answer carries with the same value', () => {
    const told = /always with the same values, (?<names>[^.]*)\./.exec(document.info.description)?.groups?.['names'];
    expect(told?.split(', ')).toEqual(FIXED_FIELDS.map((name) => `\`${name}\``));
    const values = FIXED_FIELDS.map((name) => new Set(sent.map(({ answer }) => answer.headers.get(name))));
    expect(values.map((set) => [set.size, set.has(null)])).toEqual(FIXED_FIELDS.map(() => [1, false]));
  });

  test('shows values of header fields that are as it describes them', () => {
    const { headers = {} } = document.components;
    const wrong = Object.entries(headers).filter(
      ([, header]) => !obeys(header, String(header.example ?? header.schema.example)),
    );
    expect([Object.keys(headers).length > 10, wrong]).toEqual([true, []]);
  });

  test('shows messages of errors that the service gave, but for their numbers', () => {
    const given = new Set(sent.flatMap(({ answer }) => (isError(answer) ? [errorOf(answer.text())] : [])));
    const shown = examplesOfErrors().map((example) => errorOf(JSON.stringify(example)));
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.filter((error) => !given.has(error))).toEqual([]);
  });

  test('names the codes of errors that the service gave, and no others', () => {
    const given = sent.flatMap(({ answer }) => (isError(answer) ? [codeOf(JSON.parse(answer.text()))] : []));
    const shown = examplesOfErrors().map(codeOf);
    expect([...new Set(shown)].sort()).toEqual([...new Set(given)].sort());
  });
});

test('docs/answers.md shows what was sent', () => {
  const table = tableOf();
  if (process.env['WRITE_ANSWERS'] !== undefined) writeFileSync(TABLE, table);
  expect(readFileSync(TABLE, 'utf8')).toBe(table);
});

function isError({ status, body }: RawAnswer): boolean {
  return status >= 400 && body.length > 0;
}

function examplesOfErrors(): unknown[] {
  return OPERATIONS.map(({ id }) => operation(id)).flatMap((described) =>
    Object.keys(described.responses)
      .filter((status) => Number(status) >= 400)
      .flatMap((status) => Object.values(answerOf(document, described, status).content ?? {}))
      .flatMap(examplesOf),
  );
}

function codeOf(error: unknown): string {
  return (error as { readonly code: string }).code;
}

/** An error as JSON, with every number in it replaced by the same number, except for the status. */
function errorOf(body: string): string {
  return body.replaceAll(/(?<!"status":[0-9]*)[0-9]+/g, '0');
}

/** One table for each operation, with a column for each status and a row for each header field. */
function tableOf(): string {
  const tables = OPERATIONS.map(({ id, method, shownPath }) => {
    const came = sentFields(id);
    const statuses = [...came.keys()].sort();
    const names = [...new Set([...describedFields(id).values()].flat())].sort();
    const rows = names.map((name) =>
      row(name, ...statuses.map((status) => (came.get(status)?.includes(name.toLowerCase()) === true ? '✓' : ''))),
    );
    return [
      `## ${id}`,
      '',
      `\`${method} ${shownPath}\``,
      '',
      row('', ...statuses),
      row('---', ...statuses.map(() => '---')),
      ...rows,
      '',
    ].join('\n');
  });
  const intro =
    '# What each operation answers\n\nThe statuses and header fields that the live service sent when a test provoked every answer that ' +
    'docs/openapi.yaml\ndescribes: `test/e2e/described-answers.e2e-spec.ts` fails for one that is sent and not described, or described ' +
    'and not sent.\nBeside them every answer carries ' +
    `${FIXED_FIELDS.map((name) => `\`${name}\``).join(', ')}.\n\n`;
  return `${intro}${tables.join('\n')}`;
}

function row(...cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
