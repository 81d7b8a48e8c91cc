import { BadRequestException } from '@nestjs/common';
import { registerDecorator } from 'class-validator';
import { CachedQuery, IsInt64, Optional, Satisfies } from './field-rules.decorators.js';
import { createQueryParser } from './query-parser.js';
import { RequestValidationPipe } from './request-validation.pipe.js';

const parseQuery = createQueryParser();

describe('a query string', () => {
  test.each([
    ['limit=5&status=sold', { limit: '5', status: 'sold' }],
    ['limit=', { limit: '' }],
    ['limit', { limit: '' }],
    ['a=%20b+c%26', { a: ' b c&' }],
    ['a=1=2', { a: '1=2' }],
    ['%6Cimit=5', { limit: '5' }],
    ['a[b]=1', { 'a[b]': '1' }],
    ['a=1&b=x&a=2&a=3', { a: ['1', '2', '3'], b: 'x' }],
    ['a=%FF%', { a: '\ufffd%' }],
    ['=5', { '': '5' }],
    ['', {}],
    [null, {}],
  ])('has these parameters: %j', (text, parameters) => {
    expect({ ...parseQuery(text) }).toEqual(parameters);
  });

  test('keeps every value, however many there are', () => {
    const values = Array.from({ length: 8_000 }, (_, index) => String(index));
    expect(parseQuery(values.map((value) => `a=${value}`).join('&'))['a']).toEqual(values);
  });

  test('is one and the same object each time, which nobody can change', () => {
    const query = parseQuery('limit=6');
    expect(parseQuery('limit=6')).toBe(query);
    expect(Object.isFrozen(query)).toBe(true);
  });

  test.each([
    ['a list', 'a=1&a=2'],
    ['a name that the validation removes', 'constructor=1'],
    ['a long text', `a=${'x'.repeat(600)}`],
  ])('is not shared if it has %s', (_what, text) => {
    expect(parseQuery(text)).not.toBe(parseQuery(text));
    expect(Object.isFrozen(parseQuery(text))).toBe(false);
  });

  test('is parsed again when a thousand others came after it', () => {
    const query = parseQuery('first');
    for (let index = 0; index < 1_000; index += 1) parseQuery(String(index));
    expect(parseQuery('first')).not.toBe(query);
  });

  test('may have any name without changing the prototype of objects', () => {
    const query = parseQuery('__proto__=x&constructor=y');
    expect(Object.keys(query)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(query)).toBeNull();
  });
});

let validations = 0;

function counted(): string | undefined {
  validations += 1;
  return undefined;
}

@CachedQuery()
class Search {
  @Optional()
  @Satisfies(counted)
  name?: unknown;

  @Optional()
  @IsInt64()
  readonly after?: bigint;
}

class Extended extends Search {}

const pipe = new RequestValidationPipe();

/** The number of times that a query is validated if it is sent twice. */
async function validationsOf(text: string, metatype = Search): Promise<number> {
  validations = 0;
  for (let time = 0; time < 2; time += 1) await transform(parseQuery(text), metatype);
  return validations;
}

async function transform(query: object, metatype: new () => object = Search): Promise<unknown> {
  return await pipe.transform(query, { type: 'query', metatype, data: undefined });
}

describe('a query of a class with @CachedQuery()', () => {
  test('is validated once, and each handler gets an instance of its own', async () => {
    expect(await validationsOf('name=a&after=7')).toBe(1);
    for (let time = 0; time < 2; time += 1) {
      const search = (await transform(parseQuery('name=a&after=7'))) as Search;
      expect(search).toBeInstanceOf(Search);
      expect(search).toEqual({ name: 'a', after: 7n });
      search.name = 'changed';
    }
  });

  test('is validated each time if it has a list, which a handler could change for others', async () => {
    expect(await validationsOf('name=a&name=b')).toBe(2);
  });

  test('is validated each time if the parser does not repeat it, as that of a pipe before', async () => {
    validations = 0;
    for (let time = 0; time < 2; time += 1) await transform({ ...parseQuery('name=a') });
    expect(validations).toBe(2);
  });

  test('is refused each time if it is invalid', async () => {
    for (let time = 0; time < 2; time += 1) {
      await expect(transform(parseQuery('after=x'))).rejects.toThrow(BadRequestException);
    }
  });
});

test('a query of a class that only extends one with @CachedQuery() is validated each time', async () => {
  expect(await validationsOf('name=a', Extended)).toBe(2);
});

test('a query of a class without @CachedQuery() is validated each time: a rule may depend on more than the query', async () => {
  let isOpen = true;
  class Visit {
    readonly day!: string;
  }
  registerDecorator({
    target: Visit,
    propertyName: 'day',
    validator: { validate: () => isOpen, defaultMessage: () => 'day is not open' },
  });
  await transform(parseQuery('day=Monday'), Visit);
  isOpen = false;
  await expect(transform(parseQuery('day=Monday'), Visit)).rejects.toThrow(BadRequestException);
});

test('a query without a class is the own one of each handler, which may change it', async () => {
  const about = { type: 'query', metatype: Object, data: undefined } as const;
  const query = (await pipe.transform(parseQuery('day=Monday'), about)) as Record<string, string>;
  query['day'] = 'Tuesday';
  expect(await pipe.transform(parseQuery('day=Monday'), about)).toEqual({ day: 'Monday' });
});
