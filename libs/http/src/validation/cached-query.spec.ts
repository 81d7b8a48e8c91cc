import { registerDecorator } from 'class-validator';
import { createQueryParser } from './query-parser.js';
import { CachedQuery } from './cached-query.js';
import { IsInt64, Optional, Satisfies } from './field-rules.decorators.js';
import { RequestValidationPipe } from './request-validation.pipe.js';

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

const parseQuery = createQueryParser();

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
      await expect(transform(parseQuery('after=x'))).rejects.toThrow('after must be an integer');
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
  await expect(transform(parseQuery('day=Monday'), Visit)).rejects.toThrow('day is not open');
});

test('a query without a class is the own one of each handler, which may change it', async () => {
  const about = { type: 'query', metatype: Object, data: undefined } as const;
  const query = (await pipe.transform(parseQuery('day=Monday'), about)) as Record<string, string>;
  query['day'] = 'Tuesday';
  expect(await pipe.transform(parseQuery('day=Monday'), about)).toEqual({ day: 'Monday' });
});
