import { registerDecorator } from 'class-validator';
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

/** The number of times that a query is validated if it is sent twice. */
async function validationsOf(query: object, metatype = Search): Promise<number> {
  validations = 0;
  for (let time = 0; time < 2; time += 1) await transform({ ...query }, metatype);
  return validations;
}

async function transform(query: object, metatype: new () => object = Search): Promise<unknown> {
  return await pipe.transform(query, { type: 'query', metatype, data: undefined });
}

describe('a query of a class with @CachedQuery()', () => {
  test('is validated once, and each handler gets an instance of its own', async () => {
    expect(await validationsOf({ name: 'a', after: '7' })).toBe(1);
    for (let time = 0; time < 2; time += 1) {
      const search = (await transform({ name: 'a', after: '7' })) as Search;
      expect(search).toBeInstanceOf(Search);
      expect(search).toEqual({ name: 'a', after: 7n });
      search.name = 'changed';
    }
  });

  test.each([
    ['a list, which a handler could change for others', { name: ['a', 'b'] }],
    ['a long text', { name: 'x'.repeat(600) }],
  ])('is validated each time if it has %s', async (_what, query) => {
    expect(await validationsOf(query)).toBe(2);
  });

  test('is not mistaken for another one', async () => {
    const queries = [{ name: 'a' }, { name: 'a","after":"7' }, { name: 'a', after: '7' }, {}];
    for (const query of [...queries, ...queries]) {
      expect(await transform(query)).toEqual({ ...query, ...('after' in query && { after: 7n }) });
    }
  });

  test('is refused each time if it is invalid', async () => {
    for (let time = 0; time < 2; time += 1) {
      await expect(transform({ after: 'x' })).rejects.toThrow('after must be an integer');
    }
  });

  test('replaces the least recently used one if there are too many', async () => {
    await transform({ name: 'first' });
    for (let index = 0; index < 1_000; index += 1) await transform({ name: String(index) });
    expect(await validationsOf({ name: 'first' })).toBe(1);
  });
});

test('a query of a class that only extends one with @CachedQuery() is validated each time', async () => {
  expect(await validationsOf({ name: 'a' }, Extended)).toBe(2);
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
  await transform({ day: 'Monday' }, Visit);
  isOpen = false;
  await expect(transform({ day: 'Monday' }, Visit)).rejects.toThrow('day is not open');
});
