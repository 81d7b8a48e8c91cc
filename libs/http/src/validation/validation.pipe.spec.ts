import { BadRequestException, type ArgumentMetadata } from '@nestjs/common';
import { Expose, Transform, Type } from 'class-transformer';
import { ArrayMaxSize, IsInt, IsString, Max, ValidateNested } from 'class-validator';
import { z } from 'zod';
import { createQueryParser } from './query-parser.js';
import { CachedQuery, IsInt64, Optional, Satisfies } from './rules.js';
import { RequestValidationPipe } from './validation.pipe.js';

/** The values that class-transformer was asked to transform. */
const transformed: unknown[] = [];

class Line {
  @Transform(({ value }) => {
    transformed.push(value);
    return value as unknown;
  })
  @IsInt()
  @Max(10)
  quantity!: number;
}

class Cart {
  @Satisfies((value) => (typeof value === 'string' ? undefined : 'must be a string'))
  name!: string;

  @Optional()
  @ValidateNested({ each: true })
  @ArrayMaxSize(50)
  @Type(() => Line)
  lines?: Line[];

  @Optional()
  @ValidateNested()
  @Type(() => Line)
  main?: Line;

  @Optional()
  @IsString({ each: true })
  tags?: string[];
}

class Order {
  @Expose({ name: 'line_items' })
  @ValidateNested({ each: true })
  @Type(() => Line)
  lines!: Line[];

  @Transform(({ value }) => (value as string[]).join(','))
  @IsString()
  codes!: string;
}

@CachedQuery()
class Query {
  @Optional()
  @IsInt64()
  owner?: bigint;

  @Optional()
  @IsString()
  status?: string;
}

const { jest } = import.meta;

const pipe = new RequestValidationPipe();

async function transform(value: unknown, metatype: unknown, type: ArgumentMetadata['type'] = 'body', data?: string) {
  return await pipe.transform(value, { type, metatype: metatype as ArgumentMetadata['metatype'], data });
}

/** The sentences of the refusal. */
async function refusal(...args: Parameters<typeof transform>): Promise<string[]> {
  const error: unknown = await transform(...args).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BadRequestException);
  return (error as BadRequestException).message.split('; ');
}

beforeEach(() => {
  transformed.length = 0;
});

describe('a valid value', () => {
  test('is an instance of its class, with those in it', async () => {
    const cart = await transform({ name: 'a', lines: [{ quantity: 1 }], tags: ['x'] }, Cart);
    expect(cart).toBeInstanceOf(Cart);
    expect((cart as Cart).lines?.[0]).toBeInstanceOf(Line);
  });

  test('has what a body names or writes in another way than its class', async () => {
    const order = await transform({ line_items: [{ quantity: 1 }], codes: ['x', 'y'] }, Order);
    expect(order).toEqual({ lines: [{ quantity: 1 }], codes: 'x,y' });
  });

  test('is made once for a query that is sent again, and is frozen', async () => {
    const parse = createQueryParser();
    const [first, second] = [
      await transform(parse('owner=7'), Query, 'query'),
      await transform(parse('owner=7'), Query, 'query'),
    ];
    expect(first).toEqual(Object.assign(new Query(), { owner: 7n }));
    expect(second).toBe(first);
    expect(Object.isFrozen(first)).toBe(true);
  });

  test('is not the one of a query class that extends its own', async () => {
    @CachedQuery()
    class Narrower extends Query {}
    const query = createQueryParser()('owner=7');
    await transform(query, Narrower, 'query');
    expect((await transform(query, Query, 'query')) as object).not.toBeInstanceOf(Narrower);
  });

  test('with a schema is its own copy of a query, also where a name is one that every object has', async () => {
    const query = createQueryParser()('__proto__=1&a=2');
    const schema = z.object({ a: z.string() });
    expect(await pipe.transform(query, { type: 'query', metatype: Object, schema })).toEqual({ a: '2' });
  });

  test.each([
    [Object, { a: 1 }],
    [Array, [1]],
    [undefined, 'text'],
    [BigInt, 9007199254740993n],
  ])('without a class with rules is given as it is: %p', async (metatype, value) => {
    expect(await transform(value, metatype)).toEqual(value);
  });
});

describe('a violation', () => {
  test('is a sentence that begins with the path of the member', async () => {
    expect(
      await refusal({ name: 1, lines: [{ quantity: 11 }, { quantity: 'x' }], main: { quantity: 1.5 } }, Cart),
    ).toEqual([
      'name must be a string',
      'lines.0.quantity must not be greater than 10',
      'lines.1.quantity must not be greater than 10',
      'lines.1.quantity must be an integer number',
      'main.quantity must be an integer number',
    ]);
    expect(await refusal({ quantity: 11 }, Line, 'body', 'line')).toEqual([
      'line.quantity must not be greater than 10',
    ]);
  });

  test.each([
    [undefined, 'A body is required: send a JSON object'],
    [null, 'The body must be a JSON object'],
    [[{ name: 'a' }], 'The body must be a JSON object'],
    ['name', 'The body must be a JSON object'],
  ])('of the whole body is said of the body: %j', async (body, message) => {
    expect(await refusal(body, Cart)).toEqual([message]);
  });

  test.each<[object, string]>([
    [{ main: 5 }, 'main must be an object'],
    [{ lines: [5] }, 'lines.0 must be an object'],
    [{ lines: 5 }, 'lines must contain no more than 50 elements; lines must be a list of objects'],
    [{ tags: ['a', 1] }, 'each value in tags must be a string'],
  ])('of an object or an element says where it is: %j', async (members, message) => {
    expect(await refusal({ name: 'a', ...members }, Cart)).toEqual(message.split('; '));
  });

  test.each([
    ['tag', 'did you mean tags?'],
    ['Name', 'did you mean name?'],
    ['xyz', 'allowed are name, lines, main, tags'],
    ['__proto__', 'allowed are name, lines, main, tags'],
    ['constructor', 'allowed are name, lines, main, tags'],
    ['valueOf', 'allowed are name, lines, main, tags'],
  ])('by an unknown member gets the names that are known: %s', async (name, hint) => {
    const body: unknown = JSON.parse(`{"name":"a","${name}":1}`);
    expect(await refusal(body, Cart)).toEqual([`unknown member "${name}": ${hint}`]);
  });

  test('by an unknown member in an object in a list is found there', async () => {
    expect(await refusal({ name: 'a', lines: [{ quantity: 1, quanity: 2 }] }, Cart)).toEqual([
      'unknown member "lines.0.quanity": did you mean quantity?',
    ]);
  });

  test('in a query is said in the words of a query', async () => {
    expect(await refusal({ owner: '1e3', status: ['a', 'b'], x: '1' }, Query, 'query')).toEqual([
      'owner must be an integer between -9223372036854775808 and 9223372036854775807, written in plain decimal digits',
      'status was sent 2 times: send it once',
      'unknown query parameter "x": allowed are owner, status',
    ]);
  });
});

describe('what is counted before anything is made of it', () => {
  const wide = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`m${at}`, at]));

  test('is an object of more than 500 members', async () => {
    let reads = 0;
    const counted = Object.defineProperties(
      {},
      Object.fromEntries(Object.keys(wide).map((name) => [name, { enumerable: true, get: () => (reads += 1) }])),
    );
    expect(await refusal(counted, Cart)).toEqual(['There are more than 500 members']);
    expect(reads).toBe(0);
  });

  test('are the sentences: the first twenty', async () => {
    const lines = Array.from({ length: 50 }, () => ({ quantity: 11 }));
    const sentences = await refusal({ name: 'a', lines }, Cart);
    expect([sentences.length, sentences.at(-1)]).toEqual([21, 'and more']);
    const quoted = jest.spyOn(JSON, 'stringify');
    const unknown = await refusal(Object.fromEntries(Object.entries(wide).slice(0, 400)), Cart);
    const { length } = quoted.mock.calls;
    quoted.mockRestore();
    expect(unknown.at(-1)).toBe('and more');
    // Only the first twenty are made.
    expect(length).toBeLessThanOrEqual(40);
  });

  test('is what a sentence repeats of a name', async () => {
    const names = Array.from({ length: 20 }, (_, at) => [`${at}${'\u{1F98A}'.repeat(1_000)}`, 1]);
    const sentences = await refusal(Object.fromEntries([...names, ['name', 'a']]), Cart);
    expect(sentences[0]).toBe(
      `unknown member "0${'\u{1F98A}'.repeat(31)}\\ud83e…": allowed are name, lines, main, tags`,
    );
    expect(Buffer.byteLength(sentences.join('; '))).toBeLessThan(8_000);
  });
});
