import { breakingChanges } from './breaking-changes.js';

const ERROR = {
  description: 'No.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['code'],
        properties: { code: { type: 'string', enum: ['not_found', 'gone'] } },
      },
    },
  },
};

/** The released document. */
const RELEASED = {
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        security: [{ bearerAuth: [] }],
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
          { name: 'status', in: 'query', schema: { $ref: '#/components/schemas/Status' } },
          { name: 'q', in: 'query', schema: { type: 'string' } },
        ],
        responses: {
          '200': {
            headers: { Link: { schema: { type: 'string' } }, ETag: { required: true, schema: { type: 'string' } } },
            content: {
              'application/json': {
                schema: { type: 'array', maxItems: 100, items: { $ref: '#/components/schemas/Pet' } },
              },
            },
          },
          '404': ERROR,
        },
      },
      post: {
        operationId: 'createPet',
        security: [{ bearerAuth: [] }],
        requestBody: {
          required: false,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewPet' } } },
        },
        responses: { '201': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } } },
      },
    },
    '/pets/{petId}': {
      get: {
        operationId: 'getPet',
        security: [{ bearerAuth: [] }],
        parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } }],
        responses: { '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } } },
      },
    },
  },
  components: {
    schemas: {
      Status: { type: 'string', enum: ['available', 'sold'] },
      Pet: {
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: { type: 'integer', format: 'int64', minimum: 1 },
          name: { type: 'string', maxLength: 255 },
          age: { type: 'integer' },
          status: { allOf: [{ $ref: '#/components/schemas/Status' }] },
        },
      },
      NewPet: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 255, pattern: '\\S' },
          note: { type: 'string', nullable: true },
          tags: { type: 'array', maxItems: 9, items: { type: 'string' } },
        },
      },
    },
  },
};

/** The result of the comparison after these changes. `place` is a member of the released document, `undefined` removes it. */
function after(...changes: readonly [place: string, value: unknown][]): string[] {
  const current = structuredClone(RELEASED);
  for (const [place, value] of changes) {
    const names = place.split('>').map((name) => name.trim());
    const holder = names.slice(0, -1).reduce<object>((object, name) => Reflect.get(object, name) as object, current);
    if (value === undefined) Reflect.deleteProperty(holder, names.at(-1)!);
    else Reflect.set(holder, names.at(-1)!, value);
  }
  return breakingChanges(RELEASED, current);
}

const LIST = 'paths > /pets > get';
const CREATE = 'paths > /pets > post';
const GET = 'paths > /pets/{petId} > get';
const OK = `${LIST} > responses > 200`;
const JSON_OF_CREATE = `${CREATE} > requestBody > content`;
const PET = 'components > schemas > Pet';
const NEW_PET = 'components > schemas > NewPet';
const STATUSES = 'components > schemas > Status > enum';

test('a document breaks nothing of itself', () => {
  expect(after()).toEqual([]);
});

describe('of operations it breaks callers', () => {
  test.each<[string, [string, unknown], string]>([
    ['that a method is gone', [CREATE, undefined], 'POST /pets is gone'],
    ['that a path is gone', ['paths > /pets/{petId}', undefined], 'GET /pets/{} is gone'],
    ['that one is named differently', [`${LIST} > operationId`, 'getPets'], 'GET /pets is named getPets now'],
    ['that one asks for another key', [`${LIST} > security`, [{ oauth: [] }]], 'GET /pets asks for another key'],
  ])('%s', (_rule, change, expected) => {
    expect(after(change)).toEqual([expected]);
  });
});

describe('of parameters it breaks callers', () => {
  const limit = `${LIST} > parameters > 0`;
  test.each<[string, [string, unknown], string]>([
    ['that one is gone', [`${LIST} > parameters > 2 > name`, 'search'], 'GET /pets query q is gone'],
    ['that one moves', [`${LIST} > parameters > 2 > in`, 'header'], 'GET /pets query q is gone'],
    ['that one becomes required', [`${limit} > required`, true], 'GET /pets query limit is required now'],
    [
      'that a new one is required',
      [`${LIST} > parameters > 3`, { name: 'shop', in: 'query', required: true }],
      'GET /pets query shop is new, and required',
    ],
    [
      'that the highest value sinks',
      [`${limit} > schema > maximum`, 50],
      'GET /pets query limit takes less: maximum 100 against 50',
    ],
    [
      'that the lowest value rises',
      [`${limit} > schema > minimum`, 2],
      'GET /pets query limit takes less: minimum 1 against 2',
    ],
    ['that the default differs', [`${limit} > schema > default`, 50], 'GET /pets query limit has another default, 50'],
    [
      'that the type differs',
      [`${limit} > schema > type`, 'string'],
      'GET /pets query limit takes less: type integer against string',
    ],
    [
      'that integers of 64 bits become such of 32',
      [`${GET} > parameters > 0 > schema > format`, 'int32'],
      `GET /pets/{} path 1 takes less: minimum ${-(2 ** 63)} against ${-(2 ** 31)}`,
    ],
    [
      'that a text gets a format',
      [`${LIST} > parameters > 2 > schema > format`, 'uuid'],
      'GET /pets query q takes less: format any against uuid',
    ],
  ])('%s', (_rule, change, expected) => {
    expect(after(change)).toContain(expected);
  });
});

describe('of bodies that are sent it breaks callers', () => {
  const name = `${NEW_PET} > properties > name`;
  test.each<[string, [string, unknown], string]>([
    ['that there is none any more', [`${CREATE} > requestBody`, undefined], 'POST /pets body is gone'],
    ['that it becomes required', [`${CREATE} > requestBody > required`, true], 'POST /pets body is required now'],
    [
      'that a media type is gone',
      [JSON_OF_CREATE, { 'application/xml': {} }],
      'POST /pets body application/json is gone',
    ],
    [
      'that a member becomes required',
      [`${NEW_PET} > required`, ['name', 'note']],
      'POST /pets body takes less: note may be missing',
    ],
    [
      'that a member is gone',
      [`${NEW_PET} > properties > note`, undefined],
      'POST /pets body does not have note any more',
    ],
    [
      'that unknown members are refused',
      [`${NEW_PET} > additionalProperties`, false],
      'POST /pets body takes less: additional members',
    ],
    [
      'that null is refused',
      [`${NEW_PET} > properties > note > nullable`, false],
      'POST /pets body.note takes less: null',
    ],
    [
      'that the longest text becomes shorter',
      [`${name} > maxLength`, 100],
      'POST /pets body.name takes less: maxLength 255 against 100',
    ],
    [
      'that the shortest text becomes longer',
      [`${name} > minLength`, 2],
      'POST /pets body.name takes less: minLength 1 against 2',
    ],
    [
      'that the pattern differs',
      [`${name} > pattern`, '^[a-z]+$'],
      'POST /pets body.name takes less: pattern \\S against ^[a-z]+$',
    ],
    [
      'that a list takes fewer items',
      [`${NEW_PET} > properties > tags > maxItems`, 3],
      'POST /pets body.tags takes less: maxItems 9 against 3',
    ],
    [
      'that the items of a list take less',
      [`${NEW_PET} > properties > tags > items > minLength`, 1],
      'POST /pets body.tags[] takes less: minLength 0 against 1',
    ],
  ])('%s', (_rule, change, expected) => {
    expect(after(change)).toContain(expected);
  });

  test('that a value is not taken any more', () => {
    expect(after([STATUSES, ['available']])).toEqual(['GET /pets query status takes less: sold']);
  });
});

describe('of answers it breaks readers', () => {
  test.each<[string, [string, unknown], string]>([
    ['that a success is gone', [OK, undefined], 'GET /pets 200 is gone'],
    ['that a header field is gone', [`${OK} > headers > Link`, undefined], 'GET /pets 200 Link is gone'],
    [
      'that a header field may be missing',
      [`${OK} > headers > ETag > required`, false],
      'GET /pets 200 ETag may be missing',
    ],
    [
      'that a header field is of another type',
      [`${OK} > headers > Link > schema > type`, 'integer'],
      'GET /pets 200 Link promises less: type integer against string',
    ],
    ['that a media type is gone', [`${OK} > content`, { 'text/csv': {} }], 'GET /pets 200 application/json is gone'],
    [
      'that a list may be longer',
      [`${OK} > content > application/json > schema > maxItems`, 500],
      'GET /pets 200 promises less: maxItems 500 against 100',
    ],
    [
      'that a member is gone',
      [`${PET} > properties > status`, undefined],
      'GET /pets 200[] does not have status any more',
    ],
    [
      'that a member may be missing',
      [`${PET} > required`, ['id']],
      'GET /pets 200[] promises less: name may be missing',
    ],
    [
      'that a member is of another type',
      [`${PET} > properties > id > type`, 'string'],
      'GET /pets/{} 200.id promises less: type string against integer',
    ],
    [
      'that a number may be larger',
      [`${PET} > properties > id > format`, undefined],
      `POST /pets 201.id promises less: maximum none against ${2 ** 63}`,
    ],
    [
      'that a text may be longer',
      [`${PET} > properties > name > maxLength`, 999],
      'POST /pets 201.name promises less: maxLength 999 against 255',
    ],
    [
      'that a member may be null',
      [`${PET} > properties > name > nullable`, true],
      'POST /pets 201.name promises less: null',
    ],
    ['that a value is new', [STATUSES, ['available', 'sold', 'lost']], 'POST /pets 201.status promises less: lost'],
    [
      'that an error has no code',
      [`${LIST} > responses > 404 > content > application/json > schema > required`, []],
      'GET /pets 404 promises less: code may be missing',
    ],
  ])('%s', (_rule, change, expected) => {
    expect(after(change)).toContain(expected);
  });
});

describe('it breaks nobody', () => {
  const code = `${LIST} > responses > 404 > content > application/json > schema > properties > code > enum`;
  const moved = { ...RELEASED.paths['/pets/{petId}'].get.parameters[0], name: 'id' };
  test.each<[string, ...[string, unknown][]]>([
    ['that an operation is new', [LIST.replace('get', 'delete'), { responses: {} }]],
    ['that an optional parameter is new', [`${LIST} > parameters > 3`, { name: 'shop', in: 'query' }]],
    ['that an optional member may be sent', [`${NEW_PET} > properties > height`, { type: 'integer' }]],
    ['that a request may hold more', [`${NEW_PET} > properties > name > maxLength`, 999]],
    ['that an answer has a new member', [`${PET} > properties > height`, { type: 'integer' }]],
    ['that an answer promises more', [`${PET} > required`, ['id', 'name', 'status']]],
    ['that an answer has a new header field', [`${OK} > headers > Vary`, { schema: { type: 'string' } }]],
    ['that an error is new', [`${LIST} > responses > 429`, ERROR]],
    ['that an error is not sent any more', [`${LIST} > responses > 404`, undefined]],
    ['that an error has a new code', [code, ['not_found', 'gone', 'rate_limited']]],
    ['that integers with bounds get a format', [`${LIST} > parameters > 0 > schema > format`, 'int32']],
    ['that integers of answers get a format', [`${PET} > properties > age > format`, 'int32']],
    ['that a list says that it may be empty', [`${OK} > content > application/json > schema > minItems`, 0]],
    ['that a default is told elsewhere', [`${LIST} > parameters > 0 > schema > default`, undefined]],
    [
      'that a parameter of a path has another name',
      ['paths > /pets/{petId}', undefined],
      ['paths > /pets/{id}', { get: { ...RELEASED.paths['/pets/{petId}'].get, parameters: [moved] } }],
    ],
    [
      'that a part is shared by reference',
      ['components > responses', { Missing: ERROR }],
      [`${LIST} > responses > 404`, { $ref: '#/components/responses/Missing' }],
    ],
    [
      'that a header field is written in other letters',
      [
        `${OK} > headers`,
        {
          link: RELEASED.paths['/pets'].get.responses['200'].headers.Link,
          etag: { required: true, schema: { type: 'string' } },
        },
      ],
    ],
  ])('%s', (_rule, ...changes) => {
    expect(after(...changes)).toEqual([]);
  });
});

test('a reference that leads nowhere is an error', () => {
  expect(() => after([`${LIST} > responses > 404`, { $ref: '#/components/responses/None' }])).toThrow(
    '#/components/responses/None is not in the document',
  );
});
