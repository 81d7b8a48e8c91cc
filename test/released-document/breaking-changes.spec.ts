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
const OK = `${LIST} > responses > 200`;
const PET = 'components > schemas > Pet';
const NEW_PET = 'components > schemas > NewPet';
const STATUSES = 'components > schemas > Status > enum';

test.each<[string, [string, unknown], string]>([
  ['an operation is gone', [CREATE, undefined], 'POST /pets is gone'],
  ['one is named differently', [`${LIST} > operationId`, 'getPets'], 'GET /pets is named getPets now'],
  ['one asks for another key', [`${LIST} > security`, [{ oauth: [] }]], 'GET /pets asks for another key'],
  ['a parameter is gone', [`${LIST} > parameters > 0 > name`, 'size'], 'GET /pets query limit is gone'],
  ['one becomes required', [`${LIST} > parameters > 0 > required`, true], 'GET /pets query limit is required now'],
  [
    'a new one is required',
    [`${LIST} > parameters > 2`, { name: 'shop', in: 'query', required: true }],
    'GET /pets query shop is new, and required',
  ],
  [
    'a default differs',
    [`${LIST} > parameters > 0 > schema > default`, 50],
    'GET /pets query limit has another default, 50',
  ],
  [
    'a bound of what is sent is narrower',
    [`${LIST} > parameters > 0 > schema > maximum`, 50],
    'GET /pets query limit takes less: maximum 100 against 50',
  ],
  [
    'a type of what is sent differs',
    [`${LIST} > parameters > 0 > schema > type`, 'string'],
    'GET /pets query limit takes less: type integer against string',
  ],
  ['a value is not taken any more', [STATUSES, ['available']], 'GET /pets query status takes less: sold'],
  ['a body becomes required', [`${CREATE} > requestBody > required`, true], 'POST /pets body is required now'],
  [
    'a member of a body becomes required',
    [`${NEW_PET} > required`, ['name', 'note']],
    'POST /pets body takes less: note may be missing',
  ],
  [
    'a member of a body is gone',
    [`${NEW_PET} > properties > note`, undefined],
    'POST /pets body does not have note any more',
  ],
  ['null is refused', [`${NEW_PET} > properties > note > nullable`, false], 'POST /pets body.note takes less: null'],
  [
    'a pattern differs',
    [`${NEW_PET} > properties > name > pattern`, '^[a-z]+$'],
    'POST /pets body.name takes less: pattern \\S against ^[a-z]+$',
  ],
  [
    'the items of a list take less',
    [`${NEW_PET} > properties > tags > items > minLength`, 1],
    'POST /pets body.tags[] takes less: minLength 0 against 1',
  ],
  ['a success is gone', [OK, undefined], 'GET /pets 200 is gone'],
  ['a header field is gone', [`${OK} > headers > Link`, undefined], 'GET /pets 200 Link is gone'],
  ['a header field may be missing', [`${OK} > headers > ETag > required`, false], 'GET /pets 200 ETag may be missing'],
  ['a media type is gone', [`${OK} > content`, { 'text/csv': {} }], 'GET /pets 200 application/json is gone'],
  [
    'a member of an answer is gone',
    [`${PET} > properties > status`, undefined],
    'GET /pets 200[] does not have status any more',
  ],
  ['one may be missing', [`${PET} > required`, ['id']], 'GET /pets 200[] promises less: name may be missing'],
  [
    'one may be longer',
    [`${PET} > properties > name > maxLength`, 999],
    'POST /pets 201.name promises less: maxLength 999 against 255',
  ],
  ['one has a new value', [STATUSES, ['available', 'sold', 'lost']], 'POST /pets 201.status promises less: lost'],
])('it breaks callers that %s', (_rule, change, expected) => {
  expect(after(change)).toContain(expected);
});

const CODES = `${LIST} > responses > 404 > content > application/json > schema > properties > code > enum`;
const MOVED = { ...RELEASED.paths['/pets/{petId}'].get.parameters[0], name: 'id' };

test.each<[string, ...[string, unknown][]]>([
  ['nothing changes'],
  ['an operation is new', [LIST.replace('get', 'delete'), { responses: {} }]],
  ['an optional parameter is new', [`${LIST} > parameters > 2`, { name: 'shop', in: 'query' }]],
  ['a request may hold more', [`${NEW_PET} > properties > name > maxLength`, 999]],
  ['an answer has a new member', [`${PET} > properties > height`, { type: 'integer' }]],
  ['an answer promises more', [`${PET} > required`, ['id', 'name', 'status']]],
  ['an error is new', [`${LIST} > responses > 429`, ERROR]],
  ['an error has a new code', [CODES, ['not_found', 'gone', 'rate_limited']]],
  [
    'a parameter of a path has another name',
    ['paths > /pets/{petId}', undefined],
    ['paths > /pets/{id}', { get: { ...RELEASED.paths['/pets/{petId}'].get, parameters: [MOVED] } }],
  ],
  [
    'a part is shared by reference',
    ['components > responses', { Missing: ERROR }],
    [`${LIST} > responses > 404`, { $ref: '#/components/responses/Missing' }],
  ],
])('it breaks nobody that %s', (_rule, ...changes) => {
  expect(after(...changes)).toEqual([]);
});
