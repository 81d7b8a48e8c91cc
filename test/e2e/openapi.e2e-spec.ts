import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { createMigratedDatabase } from '../support/databases.js';
import {
  responseFaults,
  describedResponse,
  exampleOf,
  schemaFaults,
  type OpenApiDocument,
  type Operation,
} from '../support/openapi.js';
import { useApp } from '../support/running-app.js';

/** The operations of the specification. Modules add more operations and document them. */
const SPECIFIED: Readonly<Record<string, string>> = {
  listPets: 'get /pets',
  createPet: 'post /pets',
  getPet: 'get /pets/{petId}',
};

let document: OpenApiDocument;
const app = useApp(createMigratedDatabase);

beforeAll(async () => {
  document = (await (await app.request('/openapi.json', { key: null })).json()) as OpenApiDocument;
});

function operation(id: string): Operation {
  const [method = '', path = ''] = SPECIFIED[id]!.split(' ');
  return document.paths[path]![method]!;
}

describe('the OpenAPI document', () => {
  test('describes version 1.0.0 of the interface, with the group, key and schemas of the specification', () => {
    expect(document.info.version).toBe('1.0.0');
    expect(document.tags.map(({ name }) => name)).toContain('Pets');
    expect(document.components.securitySchemes).toMatchObject({ bearerAuth: { type: 'http', scheme: 'bearer' } });
    const names = ['Animal', 'Error', 'NewPet', 'PetStatus', 'Pets'];
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(names));
  });

  /** A module may add operations to those of the checked-in document, and codes to the list of the errors. */
  test('is docs/openapi.yaml, which `npm run openapi` writes', () => {
    const path = join(import.meta.dirname, '../../docs/openapi.yaml');
    const checkedIn = parse(readFileSync(path, 'utf8')) as OpenApiDocument;
    const operations = ({ paths }: OpenApiDocument) => Object.keys(checkedIn.paths).map((name) => paths[name]);
    const schemas = ({ components }: OpenApiDocument) =>
      ['Animal', 'NewPet', 'PetStatus', 'Pets'].map((name) => components.schemas[name]);
    expect(operations(document)).toEqual(operations(checkedIn));
    expect(schemas(document)).toEqual(schemas(checkedIn));
    expect(document.components.responses).toMatchObject(checkedIn.components.responses ?? {});
    expect(document.components.headers).toMatchObject(checkedIn.components.headers ?? {});
  });

  test('has no HEAD, no OPTIONS, and no page of the service itself', () => {
    const methods = Object.values(document.paths).flatMap((item) => Object.keys(item));
    expect(methods.filter((method) => method === 'head' || method === 'options')).toEqual([]);
    const pages = ['/health/live', '/health/ready', '/docs', '/openapi.json', '/openapi.yaml'];
    expect(pages.filter((path) => path in document.paths)).toEqual([]);
  });

  test('lists the codes of errors in words, as an enum would make generated clients throw on a new one', () => {
    const code = document.components.schemas['Error']?.properties?.['code'];
    expect(code?.enum).toBeUndefined();
    for (const known of ['invalid_request', 'idempotency_key_reused', 'service_unavailable'])
      expect(code?.description).toContain(`\`${known}\``);
  });

  test('describes what all answers share once, under components', () => {
    const inline = Object.keys(SPECIFIED).flatMap((id) =>
      Object.entries(operation(id).responses).filter(([, response]) => !('$ref' in response)),
    );
    expect(inline.map(([status]) => status)).toEqual(['200', '304', '201', '200', '304']);
  });

  test('shows examples that the service takes and sends', async () => {
    const { schema } = operation('createPet').requestBody!.content['application/json']!;
    const example = exampleOf(document, schema) as object;
    const created = await app.createPet({ ...example });
    expect([created.status, await created.json()]).toEqual([201, { id: expect.any(Number) as number, ...example }]);
    for (const { content = {} } of Object.values(document.components.responses ?? {}))
      for (const media of Object.values(content))
        expect(schemaFaults(document, media.schema, media.example)).toEqual([]);
  });
});

describe('a live answer is as the OpenAPI document describes it:', () => {
  const jsonType = { 'content-type': 'application/json' };
  const once = (name: string) =>
    app.request('/v1/pets', {
      method: 'POST',
      headers: { ...jsonType, 'idempotency-key': 'documented' },
      body: JSON.stringify({ name, categoryId: 7 }),
    });

  beforeAll(async () => {
    await once('Ada');
    await app.createPet({ name: 'Tom', categoryId: -7, status: 'sold' });
  });

  test.each([
    ['listPets', 200, () => app.request('/v1/pets?limit=1')],
    ['listPets', 304, () => app.request('/v1/pets?limit=1', { headers: { 'if-none-match': '*' } })],
    ['listPets', 400, () => app.request('/v1/pets?limit=0')],
    ['listPets', 401, () => app.request('/v1/pets', { key: null })],
    ['createPet', 201, () => once('Ada')],
    ['createPet', 400, () => app.createPet({})],
    ['createPet', 413, () => app.request('/v1/pets', { method: 'POST', headers: jsonType, body: ' '.repeat(102_401) })],
    ['createPet', 415, () => app.request('/v1/pets', { method: 'POST', body: 'x' })],
    ['createPet', 422, () => once('Eve')],
    ['getPet', 200, () => app.request('/v1/pets/1')],
    ['getPet', 304, () => app.request('/v1/pets/1', { headers: { 'if-none-match': '*' } })],
    ['getPet', 401, () => app.request('/v1/pets/1', { key: null })],
    ['getPet', 404, () => app.request('/v1/pets/0')],
  ])('%s with %i', async (id, status, ask) => {
    const answer = await ask();
    expect([answer.status, responseFaults(document, operation(id), answer)]).toEqual([status, []]);
    for (const { schema } of Object.values(describedResponse(document, operation(id), status).content ?? {}))
      expect(schemaFaults(document, schema, await answer.json())).toEqual([]);
  });
});
