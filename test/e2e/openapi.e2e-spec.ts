import { responseFaults } from '../support/response-faults.js';
import { createMigratedDatabase } from '../support/databases.js';
import { answerOf, exampleOf, schemaFaults, type OpenApiDocument, type Operation } from '../support/openapi.js';
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
  test('describes version 1.0.0 of the interface, with the groups, key and schemas of the specification', () => {
    expect(document.info.version).toBe('1.0.0');
    expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining(['Pets', 'Store']));
    expect(document.components.securitySchemes).toMatchObject({ bearerAuth: { type: 'http', scheme: 'bearer' } });
    const names = ['Animal', 'Error', 'NewPet', 'PetStatus', 'Pets'];
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(names));
  });

  test('has the operations of the specification, each with its key and in its group', () => {
    const facts = Object.keys(SPECIFIED).map((id) => {
      const { operationId, security, tags, deprecated } = operation(id);
      return { operationId, security, tags, deprecated };
    });
    const common = { security: [{ bearerAuth: [] }], tags: ['Pets'] };
    expect(facts).toEqual([
      { operationId: 'listPets', ...common, deprecated: undefined },
      { operationId: 'createPet', ...common, deprecated: undefined },
      { operationId: 'getPet', ...common, deprecated: true },
    ]);
  });

  test('has no HEAD, no OPTIONS, and no page of the service itself', () => {
    const methods = Object.values(document.paths).flatMap((item) => Object.keys(item));
    expect(methods.filter((method) => method === 'head' || method === 'options')).toEqual([]);
    const pages = ['/health/live', '/health/ready', '/docs', '/openapi.json', '/openapi.yaml'];
    expect(pages.filter((path) => path in document.paths)).toEqual([]);
  });

  test('gives the schemas the fields, types and lists of the specification', () => {
    const { Animal, NewPet, Pets, PetStatus, Error: error } = document.components.schemas;
    const int64 = { type: 'integer', format: 'int64' };
    const status = { allOf: [{ $ref: '#/components/schemas/PetStatus' }] };
    expect(Animal).toMatchObject({ properties: { id: int64, name: { type: 'string' }, categoryId: int64, status } });
    expect([...(Animal?.required ?? [])].sort()).toEqual(['categoryId', 'id', 'name', 'status']);
    expect(NewPet).toMatchObject({ properties: { name: { maxLength: 255 }, categoryId: int64, status } });
    expect([...(NewPet?.required ?? [])].sort()).toEqual(['categoryId', 'name']);
    expect(PetStatus).toMatchObject({ type: 'string', enum: ['available', 'pending', 'sold'] });
    expect(Pets).toMatchObject({ type: 'array', items: { $ref: '#/components/schemas/Animal' } });
    expect(error).toMatchObject({
      required: ['code', 'message', 'status'],
      properties: { code: { type: 'string' }, message: { type: 'string' }, status: { type: 'integer' } },
    });
  });

  test('gives the parameters the types and bounds of the specification', () => {
    const parameter = (id: string, name: string) => operation(id).parameters.find((one) => one.name === name);
    expect(parameter('listPets', 'limit')).toMatchObject({
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    });
    expect(parameter('listPets', 'status')?.schema.$ref).toBe('#/components/schemas/PetStatus');
    expect(parameter('getPet', 'petId')).toMatchObject({ in: 'path', schema: { type: 'integer', format: 'int64' } });
    expect(parameter('createPet', 'Idempotency-Key')).toMatchObject({ in: 'header', required: false });
  });

  test('refuses in NewPet, and nowhere in answers, the members that it does not name', () => {
    const { NewPet, Animal } = document.components.schemas;
    expect([NewPet?.additionalProperties, Animal?.additionalProperties]).toEqual([false, undefined]);
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
    expect(inline.map(([status]) => status)).toEqual(['200', '201', '200']);
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
    ['listPets', 304, () => app.request('/v1/pets', { headers: { 'if-none-match': '*' } })],
    ['listPets', 400, () => app.request('/v1/pets?limit=0')],
    ['listPets', 401, () => app.request('/v1/pets', { key: null })],
    ['createPet', 201, () => once('Ada')],
    ['createPet', 400, () => app.createPet({})],
    [
      'createPet',
      413,
      () => app.request('/v1/pets', { method: 'POST', headers: jsonType, body: ' '.repeat(1_048_577) }),
    ],
    ['createPet', 415, () => app.request('/v1/pets', { method: 'POST', body: 'x' })],
    ['createPet', 422, () => once('Eve')],
    ['getPet', 200, () => app.request('/v1/pets/1')],
    ['getPet', 401, () => app.request('/v1/pets/1', { key: null })],
    ['getPet', 404, () => app.request('/v1/pets/0')],
  ])('%s with %i', async (id, status, ask) => {
    const answer = await ask();
    expect([answer.status, responseFaults(document, operation(id), answer)]).toEqual([status, []]);
    for (const { schema } of Object.values(answerOf(document, operation(id), status).content ?? {}))
      expect(schemaFaults(document, schema, await answer.json())).toEqual([]);
  });
});
