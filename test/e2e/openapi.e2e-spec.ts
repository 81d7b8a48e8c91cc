import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { parseExactJson, stringifyExactJson } from '../../libs/http/src/json/exact-json.js';
import { createMigratedDatabase, type ServerDatabase } from '../support/databases.js';
import {
  answerOf,
  exampleOf,
  examplesOf,
  headersOf,
  schemaFaults,
  type OpenApiDocument,
  type Operation,
} from '../support/openapi.js';
import { nextPage } from '../support/pages.js';
import { startApp, useApp, type RunningApp } from '../support/running-app.js';
import { withClient } from '../support/sql.js';

const CHECKED_IN = join(import.meta.dirname, '../../docs/openapi.yaml');

let document: OpenApiDocument;
const app = useApp(createMigratedDatabase);

beforeAll(async () => {
  document = (await (await app.request('/openapi.json', { key: null })).json()) as OpenApiDocument;
});

/** The operations of the specification. Modules add more operations and document them. */
const SPECIFIED: Readonly<Record<string, string>> = {
  listPets: 'GET /pets',
  createPet: 'POST /pets',
  getPet: 'GET /pets/{petId}',
};

/** The operations of the specification in the document, with method and path. */
function operations({ paths } = document): { name: string; operation: Operation }[] {
  return Object.entries(paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
    )
    .filter(({ operation: { operationId } }) => operationId in SPECIFIED);
}

function operation(id: string, within = document): Operation {
  const found = operations(within).find((entry) => entry.operation.operationId === id);
  if (found === undefined) throw new Error(`The document has no operation ${id}`);
  return found.operation;
}

describe('the OpenAPI document', () => {
  test('says all that docs/openapi.yaml says, which may be older than a module', () => {
    const checkedIn: unknown = existsSync(CHECKED_IN) ? parse(readFileSync(CHECKED_IN, 'utf8')) : 'no file';
    const advice =
      'docs/openapi.yaml is not what the controllers say. Look at the difference below, then run: npm run openapi';
    const served = sorted(onlyWhatIsIn(checkedIn, document));
    const same = JSON.stringify(sorted(checkedIn)) === JSON.stringify(served);
    expect({ advice: same ? '' : advice, document: served }).toEqual({ advice: '', document: sorted(checkedIn) });
  });

  test('describes version 1.0.0 of the interface in OpenAPI 3', () => {
    expect(document.info.version).toBe('1.0.0');
    expect(document.openapi).toMatch(/^3\.[01]\.[0-9]$/);
  });

  test('has the operations of the specification', () => {
    const found = operations().map(({ name, operation: { operationId } }) => [operationId, name]);
    expect(Object.fromEntries(found)).toEqual(SPECIFIED);
  });

  test('calls getPet deprecated, and no other of them', () => {
    const deprecated = operations().filter(({ operation: { deprecated } }) => deprecated === true);
    expect(deprecated.map(({ operation: { operationId } }) => operationId)).toEqual(['getPet']);
  });

  test('has the two navigation groups, and these operations in the first', () => {
    expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining(['Pets', 'Store']));
    expect(operations().map(({ operation: { tags } }) => tags)).toEqual([['Pets'], ['Pets'], ['Pets']]);
  });

  test('has two servers, both ending in /v1', () => {
    expect(document.servers).toHaveLength(2);
    expect(document.servers.filter(({ url }) => !url.endsWith('/v1'))).toEqual([]);
  });

  test('has the schemas of the specification', () => {
    const names = ['Animal', 'Error', 'NewPet', 'PetStatus', 'Pets'];
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(names));
  });

  test('gives the schemas the fields, types and lists of the specification', () => {
    const { Animal, NewPet, Pets, PetStatus, Error: error } = document.components.schemas;
    expect(Animal).toMatchObject({
      type: 'object',
      properties: {
        id: { type: 'integer', format: 'int64' },
        name: { type: 'string' },
        categoryId: { type: 'integer', format: 'int64' },
      },
    });
    expect(NewPet).toMatchObject({
      type: 'object',
      properties: { name: { type: 'string', maxLength: 255 }, categoryId: { type: 'integer', format: 'int64' } },
    });
    expect([...(Animal?.required ?? [])].sort()).toEqual(['categoryId', 'id', 'name', 'status']);
    expect([...(NewPet?.required ?? [])].sort()).toEqual(['categoryId', 'name']);
    expect(Object.keys(Animal?.properties ?? {})).toEqual(['id', 'name', 'categoryId', 'status']);
    expect(Object.keys(NewPet?.properties ?? {})).toEqual(['name', 'categoryId', 'status']);
    expect(PetStatus).toMatchObject({ type: 'string', enum: ['available', 'pending', 'sold'] });
    expect(Pets).toMatchObject({ type: 'array', items: { $ref: '#/components/schemas/Animal' } });
    expect(error).toMatchObject({
      type: 'object',
      required: ['code', 'message', 'status'],
      properties: { code: { type: 'string' }, message: { type: 'string' }, status: { type: 'integer' } },
    });
  });

  test('refuses in NewPet, and nowhere else, the members that it does not name', () => {
    const closed = Object.entries(document.components.schemas).filter(
      ([, schema]) => schema.additionalProperties === false,
    );
    expect(closed.map(([name]) => name)).toContain('NewPet');
    expect(closed.map(([name]) => name)).not.toEqual(expect.arrayContaining(['Animal']));
  });

  test('has no default in NewPet, which generated types would take for a member that must be sent', () => {
    const members = Object.values(document.components.schemas['NewPet']?.properties ?? {});
    expect(members.map((member) => member.default)).toEqual(members.map(() => undefined));
  });

  test('tells in words what no schema says of a name', () => {
    const { description } = document.components.schemas['NewPet']!.properties!['name']!;
    expect(description).toMatch(/NUL \(U\+0000\).* half of a surrogate pair/);
  });

  test('refers to PetStatus wherever a status is meant', () => {
    const spots = [
      document.components.schemas['Animal']?.properties?.['status'],
      document.components.schemas['NewPet']?.properties?.['status'],
      operation('listPets').parameters.find(({ name }) => name === 'status')?.schema,
    ];
    expect(spots.map((spot) => spot?.$ref ?? spot?.allOf?.[0]?.$ref)).toEqual(
      spots.map(() => '#/components/schemas/PetStatus'),
    );
  });

  test('describes a status once, and at a member only what is more', () => {
    const { Animal, NewPet, PetStatus } = document.components.schemas;
    expect(PetStatus?.description).toBe('Availability of the animal.');
    expect(Animal?.properties?.['status']?.description).toBeUndefined();
    expect(NewPet?.properties?.['status']?.description).toContain('where it is left out');
  });

  test('gives limit the bounds of the specification', () => {
    const limit = operation('listPets').parameters.find(({ name }) => name === 'limit');
    expect(limit).toMatchObject({ in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } });
    expect(limit?.required ?? false).toBe(false);
  });

  test('gives the cursor a length, as an empty one is none', () => {
    expect(operation('listPets').parameters.find(({ name }) => name === 'cursor')).toMatchObject({
      schema: { minLength: 1 },
    });
  });

  test('gives petId the type of the specification', () => {
    const petId = operation('getPet').parameters.find(({ name }) => name === 'petId');
    expect(petId).toMatchObject({ in: 'path', required: true, schema: { type: 'integer', format: 'int64' } });
  });

  test('offers Idempotency-Key at createPet, and tells how a replay shows', () => {
    const key = operation('createPet').parameters.find(({ name }) => name === 'Idempotency-Key');
    expect(key).toMatchObject({
      in: 'header',
      required: false,
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    });
    const names = headersOf(document, answerOf(document, operation('createPet'), 201)).map(([name]) => name);
    expect(names).toContain('Idempotent-Replayed');
  });

  test('asks for a bearer key at each of them', () => {
    expect(document.components.securitySchemes).toMatchObject({ bearerAuth: { type: 'http', scheme: 'bearer' } });
    expect(operations().map(({ operation: { security } }) => security)).toEqual([
      [{ bearerAuth: [] }],
      [{ bearerAuth: [] }],
      [{ bearerAuth: [] }],
    ]);
  });

  test.each([
    ['listPets', ['200', '304', '400', '401', '429', '500', '503']],
    ['createPet', ['201', '400', '401', '413', '415', '422', '429', '500', '503']],
    ['getPet', ['200', '304', '401', '404', '429', '500', '503']],
  ])('lists the statuses that %s can answer with', (id, statuses) => {
    expect(Object.keys(operation(id).responses)).toEqual(expect.arrayContaining(statuses));
  });

  test('uses the Error schema for every error of them, with examples of that status', () => {
    const errors = operations().flatMap(({ operation: described }) =>
      Object.keys(described.responses)
        .filter((status) => Number(status) >= 400)
        .map((status) => ({
          status: Number(status),
          json: answerOf(document, described, status).content!['application/json']!,
        })),
    );
    expect(errors.length).toBeGreaterThan(10);
    for (const { status, json } of errors) {
      expect(json.schema.$ref).toBe('#/components/schemas/Error');
      expect(examplesOf(json).flatMap((example) => schemaFaults(document, json.schema, example))).toEqual([]);
      expect(examplesOf(json)).toEqual(examplesOf(json).map(() => expect.objectContaining({ status }) as object));
    }
  });

  test('lists every code of an error in its description', () => {
    const codes = document.components.schemas['Error']?.properties?.['code']?.enum ?? [];
    expect(codes).toEqual(expect.arrayContaining(['invalid_request', 'unauthorized', 'not_found', 'internal_error']));
    expect(codes.filter((code) => !document.info.description.includes(`\`${String(code)}\``))).toEqual([]);
  });

  test('lists no code that no operation names', () => {
    const { paths, components } = document;
    const named = JSON.stringify([paths, components.responses]);
    const codes = document.components.schemas['Error']?.properties?.['code']?.enum ?? [];
    expect(codes.filter((code) => !named.includes(`"code":"${String(code)}"`))).toEqual([]);
  });

  test('links the guide, and from each of its codes the section about it', () => {
    const guide = 'https://api.animal-store.example/docs/guide/';
    expect(document.externalDocs?.url).toBe(guide);
    expect(document.info.description).toContain(`| [\`not_found\`](${guide}errors#not_found) | 404 |`);
  });
});

describe('the examples of the OpenAPI document, against a service with these pets,', () => {
  let fresh: ServerDatabase;
  let service: RunningApp;
  let exact: OpenApiDocument;

  beforeAll(async () => {
    fresh = await createMigratedDatabase();
    service = await startApp(fresh);
    exact = parseExactJson(await (await service.request('/openapi.json', { key: null })).text()) as OpenApiDocument;
  });

  afterAll(async () => {
    await service.close();
    await fresh.remove();
  });

  /** The JSON texts of the examples of a response. */
  function shown(id: string, status: number): string[] {
    const content = answerOf(exact, operation(id, exact), status).content!['application/json']!;
    return examplesOf(content).map((example) => stringifyExactJson(example));
  }

  /** Sets the id of the next pet. */
  async function continueFrom(id: unknown): Promise<void> {
    await withClient(fresh.url, (client) =>
      client.query(`select setval(pg_get_serial_sequence('pets', 'id'), ${String(id)}, false)`),
    );
  }

  test('create, list and get the pets that it shows, to the last digit', async () => {
    const pets = shown('listPets', 200).flatMap((page) => parseExactJson(page) as { id: unknown }[]);
    expect(pets.map(({ id }) => typeof id)).toEqual(['number', 'number', 'number', 'bigint']);
    for (const { id, ...pet } of pets) {
      await continueFrom(id);
      const answer = await service.createPet(pet);
      expect(answer.status).toBe(201);
      expect([await answer.text()]).toEqual(
        id === 1041 ? shown('createPet', 201) : [stringifyExactJson({ id, ...pet })],
      );
    }
    const first = await service.request('/v1/pets?limit=3');
    const second = await service.request(nextPage(first)!);
    expect([await first.text(), await second.text()]).toEqual(shown('listPets', 200));
    expect([await (await service.request('/v1/pets/1041')).text()]).toEqual(shown('getPet', 200));
  });

  test('create the pet that its schema puts together', async () => {
    await continueFrom(1041);
    await withClient(fresh.url, (client) => client.query('delete from pets'));
    const { schema } = operation('createPet').requestBody!.content['application/json']!;
    const answer = await service.createPet(exampleOf(document, schema) as Record<string, unknown>);
    expect([answer.status, answer.headers.get('location'), await answer.text()]).toEqual([
      201,
      document.components.headers!['Location']!.example,
      shown('createPet', 201)[0],
    ]);
  });

  test('agree with each other where a schema is shown on its own', () => {
    expect(JSON.stringify(exampleOf(document, { $ref: '#/components/schemas/Animal' }))).toBe(shown('getPet', 200)[0]);
  });

  test.each(['/openapi.json', '/openapi.yaml', 'docs/openapi.yaml'])('keep every digit in %s', async (place) => {
    const text = place.startsWith('/')
      ? await (await service.request(place, { key: null })).text()
      : readFileSync(CHECKED_IN, 'utf8');
    expect(text.match(/900719925474099[0-9]+/g)).toEqual(['9007199254740993']);
  });
});

describe('a live answer obeys the schema that the OpenAPI document gives it:', () => {
  beforeAll(async () => {
    await app.createPet({ name: 'Rex', categoryId: 7 });
    await app.createPet({ name: 'Tom', categoryId: -7, status: 'sold' });
  });

  const jsonType = { 'content-type': 'application/json' };

  test.each([
    ['listPets', 200, () => app.request('/v1/pets')],
    ['listPets', 400, () => app.request('/v1/pets?limit=0')],
    ['listPets', 401, () => app.request('/v1/pets', { key: null })],
    ['createPet', 201, () => app.createPet({ name: 'Ada', categoryId: 7 })],
    ['createPet', 400, () => app.createPet({})],
    ['createPet', 401, () => app.request('/v1/pets', { method: 'POST', key: null })],
    [
      'createPet',
      413,
      () => app.request('/v1/pets', { method: 'POST', headers: jsonType, body: ' '.repeat(1_048_577) }),
    ],
    ['createPet', 415, () => app.request('/v1/pets', { method: 'POST', body: 'x' })],
    [
      'createPet',
      422,
      async () => {
        const send = (name: string) =>
          app.request('/v1/pets', {
            method: 'POST',
            headers: { ...jsonType, 'idempotency-key': 'documented' },
            body: JSON.stringify({ name, categoryId: 7 }),
          });
        await send('Ada');
        return await send('Eve');
      },
    ],
    ['getPet', 200, () => app.request('/v1/pets/1')],
    ['getPet', 401, () => app.request('/v1/pets/1', { key: null })],
    ['getPet', 404, () => app.request('/v1/pets/0')],
  ])('%s with %i', async (id, status, ask) => {
    const answer = await ask();
    const { schema } = answerOf(document, operation(id), status).content!['application/json']!;
    expect(answer.status).toBe(status);
    expect(schemaFaults(document, schema, await answer.json())).toEqual([]);
  });
});

/**
 * The served document without the additions of modules: operations, schemas, groups, error codes. The parts that both documents
 * have are taken from the served document.
 */
function onlyWhatIsIn(checkedIn: unknown, served: OpenApiDocument): unknown {
  if (typeof checkedIn !== 'object' || checkedIn === null) return served;
  const older = checkedIn as OpenApiDocument;
  const among = <Value>(names: object, all: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => name in names));
  const olderCodes = older.components.schemas['Error']?.properties?.['code']?.enum ?? [];
  const { Error: error, ...schemas } = among(older.components.schemas, served.components.schemas);
  const code = error?.properties?.['code'];
  const groups = new Set(Object.values(older.paths).flatMap((item) => Object.values(item).flatMap(({ tags }) => tags)));
  return {
    ...served,
    info: {
      ...served.info,
      description: served.info.description
        .split('\n')
        .filter((line) => !line.startsWith('| `') || older.info.description.includes(line))
        .join('\n'),
    },
    tags: served.tags.flatMap((group) => {
      const before = older.tags.find(({ name }) => name === group.name);
      // If a group had no operation, a module that adds operations to it also describes it.
      return before === undefined ? [] : [groups.has(group.name) ? group : before];
    }),
    paths: Object.fromEntries(
      Object.entries(among(older.paths, served.paths)).map(([path, item]) => [path, among(older.paths[path]!, item)]),
    ),
    components: {
      ...served.components,
      responses: among(older.components.responses ?? {}, served.components.responses ?? {}),
      headers: among(older.components.headers ?? {}, served.components.headers ?? {}),
      schemas: {
        ...schemas,
        Error: {
          ...error,
          properties: {
            ...error?.properties,
            code: { ...code, enum: code?.enum?.filter((value) => olderCodes.includes(value)) },
          },
        },
      },
    },
  };
}

/** Sorts the members of every object, so that only real differences are shown. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
