import type { ArgumentMetadata } from '@nestjs/common';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsOptional,
  IsString,
  Max,
  registerDecorator,
  ValidateNested,
} from 'class-validator';
import fc from 'fast-check';
import { parseExactJson } from '../json/exact-json.js';
import { IsInt64 } from './int64.decorator.js';
import { RequestClasses } from './request-class.js';
import { RequestValidationPipe } from './request-validation.pipe.js';
import { Optional } from './optional.decorator.js';
import { Satisfies } from './satisfies.decorator.js';
import type { Transformations } from './transformations.js';

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? undefined : 'must be a string';
}

function Matching(validate: () => boolean): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: 'matching',
      target: target.constructor,
      propertyName: property as string,
      options: { message: '$property is not open' },
      validator: { validate },
    });
  };
}

class Order {
  @Satisfies(text)
  name!: string;

  @Satisfies(text)
  readonly categoryId!: string;

  @Optional()
  @Satisfies(text)
  readonly status?: string;
}

class Count {
  @IsInt64()
  readonly exact!: bigint;

  @Optional()
  @IsInt64({ each: true })
  readonly list?: bigint[];

  @Optional()
  @Satisfies(() => undefined)
  readonly plain?: number;
}

class Renamed {
  @Expose({ name: 'category_id' })
  @IsInt64()
  readonly categoryId!: bigint;

  @Expose({ name: 'other_ids' })
  @IsOptional()
  @IsInt64({ each: true })
  readonly otherIds?: bigint[];
}

class Unruled {
  readonly name = 'no rule';
}

function metadata(metatype: unknown, type: ArgumentMetadata['type'] = 'body', data?: string): ArgumentMetadata {
  return { type, metatype: metatype as never, data };
}

/** Of the flat classes. */
const TRANSFORMATIONS: Transformations = {
  renames: () => false,
  ofField: (type, field) => (type === Count && field !== 'plain' ? 'to int64' : 'none'),
};

function compiling(): RequestValidationPipe {
  const classes = new RequestClasses();
  classes.compileBy(TRANSFORMATIONS);
  return new RequestValidationPipe(classes);
}

/** The pipe that is asked. */
let newPipe = (): RequestValidationPipe => new RequestValidationPipe();

const VALID = { name: 'a', categoryId: 'b' };

async function transform(value: unknown, about: ArgumentMetadata, pipe = newPipe()): Promise<unknown> {
  return await pipe.transform(value, about);
}

/** The sentences in the message of the refusal. */
async function violationsOf(value: unknown, about: ArgumentMetadata): Promise<string[]> {
  try {
    await transform(value, about);
  } catch (error) {
    return (error as Error).message.split('; ');
  }
  return [];
}

describe.each([
  ['by class-transformer and class-validator', newPipe],
  ['by what is compiled', compiling],
])('what a request class is made of %s', (_way, make) => {
  const documented = newPipe;

  beforeAll(() => {
    newPipe = make;
  });

  afterAll(() => {
    newPipe = documented;
  });

  const BODY = metadata(Order);
  const QUERY = metadata(Order, 'query');

  test('becomes an instance of its class', async () => {
    expect(await transform({ ...VALID, status: 'c' }, BODY)).toBeInstanceOf(Order);
  });

  test('keeps its members as they were sent', async () => {
    expect(await transform({ ...VALID, status: 'c' }, BODY)).toEqual({ ...VALID, status: 'c' });
  });

  test('may leave out what is optional', async () => {
    expect(await transform(VALID, BODY)).toEqual(VALID);
  });

  test('is waited for only where a rule answers later', () => {
    expect(newPipe().transform(VALID, BODY)).toBeInstanceOf(Order);
  });

  test('may be changed, and the next request has one of its own', async () => {
    const pipe = newPipe();
    const query = Object.freeze({ ...VALID });
    const first = (await transform(query, QUERY, pipe)) as Order;
    first.name = 'changed';
    expect(await transform(query, QUERY, pipe)).toEqual(VALID);
  });

  test('that may still change is validated every time', async () => {
    const pipe = newPipe();
    const body: Record<string, unknown> = { ...VALID };
    await transform(body, BODY, pipe);
    body['name'] = 5;
    await expect(transform(body, BODY, pipe)).rejects.toThrow('name must be a string');
  });

  test('that comes again is validated again where a rule depends on more than the value', async () => {
    let isOpen = true;
    class Visit {
      @Matching(() => isOpen)
      readonly day!: string;
    }
    const [pipe, query] = [newPipe(), Object.freeze({ day: 'Monday' })];
    const metadataOfVisit: ArgumentMetadata = { type: 'query', metatype: Visit };
    for (let times = 0; times < 3; times += 1) await transform(query, metadataOfVisit, pipe);
    isOpen = false;
    await expect(transform(query, metadataOfVisit, pipe)).rejects.toThrow('day is not open');
  });

  test('that comes again is validated again with the defaults that it is given', async () => {
    let price: unknown = '1';
    class Offer {
      @Satisfies(text)
      readonly name!: string;

      @Optional()
      @Satisfies(text)
      readonly price = price;
    }
    const [pipe, query] = [newPipe(), Object.freeze({ name: 'Rex' })];
    const metadataOfOffer: ArgumentMetadata = { type: 'query', metatype: Offer };
    for (let times = 0; times < 3; times += 1) await transform(query, metadataOfOffer, pipe);
    price = 1;
    await expect(transform(query, metadataOfOffer, pipe)).rejects.toThrow('price must be a string');
  });

  test('that has no prototype is as good as any', async () => {
    expect(await transform(Object.assign(Object.create(null) as object, VALID), QUERY)).toEqual(VALID);
  });

  test('becomes a bigint where the field is an int64, and there alone', async () => {
    expect(await transform({ exact: 7, list: [7, 8], plain: 7 }, metadata(Count))).toEqual({
      exact: 7n,
      list: [7n, 8n],
      plain: 7,
    });
  });

  test.each([
    ['-0', 0n],
    ['9007199254740991', 9007199254740991n],
    ['9223372036854775807', 9223372036854775807n],
    ['1.0', 1n],
    ['1e3', 1000n],
  ])('keeps an int64 as it was sent: %p', async (sent, value) => {
    const body = parseExactJson(`{"exact":${sent},"list":[${sent}]}`);
    expect(await transform(body, metadata(Count))).toEqual({ exact: value, list: [value] });
  });

  test.each([
    '1.5',
    '1e30',
    '1e60',
    '1e400',
    '1.00000000000000000001',
    '9223372036854775808',
    '"7"',
    'true',
    'null',
    '[7]',
    '{}',
  ])('is refused where it is no int64: %p', async (sent) => {
    const body = parseExactJson(`{"exact":${sent},"list":[1,${sent}]}`);
    const RANGE = 'must be an integer between -9223372036854775808 and 9223372036854775807, written as a JSON number';
    expect(await violationsOf(body, metadata(Count))).toEqual([`exact ${RANGE}`, `each value in list ${RANGE}`]);
  });

  test('is an int64 in plain digits in a query', async () => {
    const about = metadata(Count, 'query');
    expect(await transform({ exact: '9007199254740993' }, about)).toEqual({ exact: 9007199254740993n });
    expect(await violationsOf({ exact: '1.0' }, about)).toEqual([
      'exact must be an integer between -9223372036854775808 and 9223372036854775807, written in plain decimal digits',
    ]);
  });

  test('that breaks rules is refused with all of them at once', async () => {
    expect(await violationsOf({ name: 1, status: 2, nmae: 'x' }, BODY)).toEqual([
      'name must be a string',
      'categoryId is required and must be a string',
      'status must be a string',
      'unknown member "nmae": did you mean name?',
    ]);
  });

  test('that breaks rules is refused as invalid', async () => {
    await expect(transform({}, BODY)).rejects.toMatchObject({ kind: 'invalid', code: 'invalid_request' });
  });

  test('is refused when an optional member is null', async () => {
    expect(await violationsOf({ ...VALID, status: null }, BODY)).toEqual(['status must be a string']);
  });

  test('does not get a member from its prototype', async () => {
    expect(await violationsOf(Object.create(VALID), BODY)).toHaveLength(2);
  });

  test.each([null, 'text', 1, 1n, true, [], [VALID]])('is refused when it is no object: %p', async (value) => {
    expect(await violationsOf(value, BODY)).toEqual(['The body must be a JSON object']);
  });

  test('is asked for where there is none', async () => {
    expect(await violationsOf(undefined, BODY)).toEqual(['A body is required: send a JSON object']);
  });

  test('has the name of the member that it was taken from', async () => {
    const about = metadata(Order, 'body', 'order');
    expect(await violationsOf(undefined, about)).toEqual(['order is required and must be an object']);
    expect(await violationsOf(5, about)).toEqual(['order must be an object']);
    expect(await violationsOf({ ...VALID, name: 5, evil: 1 }, about)).toEqual([
      'order.name must be a string',
      'unknown member "order.evil": allowed are name, categoryId, status',
    ]);
  });

  test.each([
    ['nmae', 'name'],
    ['Name', 'name'],
    ['category_id', 'categoryId'],
    ['CATEGORYID', 'categoryId'],
    ['stauts', 'status'],
  ])('is answered with the name that was probably meant: %s', async (wrong, meant) => {
    expect(await violationsOf({ ...VALID, [wrong]: 1 }, BODY)).toEqual([
      `unknown member "${wrong}": did you mean ${meant}?`,
    ]);
  });

  test('is answered with the names that are allowed when one is like none of them', async () => {
    expect(await violationsOf({ ...VALID, veterinarian: 1 }, BODY)).toEqual([
      'unknown member "veterinarian": allowed are name, categoryId, status',
    ]);
  });

  test('has query parameters in a query', async () => {
    expect(await violationsOf({ ...VALID, stauts: 'x' }, QUERY)).toEqual([
      'unknown query parameter "stauts": did you mean status?',
    ]);
  });

  test('with unknown names gets them repeated not at length, nor without end', async () => {
    const names = Array.from({ length: 990 }, (_, index) => `${index}${'x'.repeat(1000)}`);
    const violations = await violationsOf({ ...VALID, ...Object.fromEntries(names.map((name) => [name, 1])) }, BODY);
    expect(violations).toHaveLength(21);
    expect(violations[10]).toBe(`unknown member "10${'x'.repeat(62)}…": allowed are name, categoryId, status`);
    expect(violations.at(-1)).toBe('and 970 more');
    expect(violations.join().length).toBeLessThan(3000);
  });

  test('is refused where a name is something that every object has', async () => {
    const names = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype');
    await fc.assert(
      fc.asyncProperty(names, fc.constantFrom<unknown>({}, 1, 'x'), async (name, member) => {
        const value = Object.defineProperty({ ...VALID }, name, {
          value: member,
          enumerable: true,
          configurable: true,
        });
        expect(await violationsOf(value, BODY)).toEqual([
          expect.stringContaining(`unknown member "${name}": allowed are `),
        ]);
      }),
    );
  });

  test('is refused where a name is unknown, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }), async (name) => {
        fc.pre(!['name', 'categoryId', 'status'].includes(name));
        const value = Object.defineProperty({ ...VALID }, name, { value: 1, enumerable: true, configurable: true });
        await expect(transform(value, BODY)).rejects.toThrow(`unknown member ${JSON.stringify(name)}: `);
      }),
    );
  });
});

describe('an int64 that class-transformer gives another name', () => {
  test('is exact', async () => {
    const body = parseExactJson('{"category_id":9007199254740993,"other_ids":[1,9007199254740993]}');
    expect(await transform(body, metadata(Renamed))).toEqual({
      categoryId: 9007199254740993n,
      otherIds: [1n, 9007199254740993n],
    });
  });

  test.each(['{"category_id":1.00000000000000000001}', '{"category_id":1,"other_ids":[2,1.00000000000000000001]}'])(
    'is refused where it was rounded to it: %s',
    async (body) => {
      expect(await violationsOf(parseExactJson(body), metadata(Renamed))).toHaveLength(1);
    },
  );
});

class Address {
  @IsString()
  readonly street!: string;
}

class Line {
  @IsInt()
  @Max(10)
  readonly quantity!: number;

  @IsOptional()
  @IsArray()
  @Type(() => Number)
  readonly sizes?: number[];

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Line)
  readonly lines?: Line[];
}

class Cart {
  @IsOptional()
  @ValidateNested({ each: true })
  @ArrayMaxSize(3)
  @Type(() => Line)
  readonly lines?: Line[];

  @IsOptional()
  @ValidateNested()
  @Type(() => Address)
  readonly address?: Address;

  @IsOptional()
  readonly anything?: unknown;

  @IsOptional()
  readonly total?: number;

  @IsOptional()
  @Transform(({ value }) => (value as string).trim())
  readonly trimmed?: string;

  @IsOptional()
  @Type(() => Date)
  readonly at?: Date;

  @Exclude()
  readonly secret?: string;

  undecorated = 'default';

  sum(): number {
    return this.total ?? 0;
  }
}

const CART = metadata(Cart);

describe('a nested object', () => {
  test('is validated, each violation with its path', async () => {
    expect(
      await violationsOf(
        {
          lines: [{ quantity: 'x', evil: 1 }, 'x', null, { quantity: 3 }].slice(0, 3),
          address: { street: 5, stret: 1 },
        },
        CART,
      ),
    ).toEqual([
      'lines.0.quantity must not be greater than 10',
      'lines.0.quantity must be an integer number',
      'lines.1 must be an object',
      'lines.2 must be an object',
      'address.street must be a string',
      'unknown member "lines.0.evil": allowed are quantity, sizes, lines',
      'unknown member "address.stret": did you mean street?',
    ]);
  });

  test('is an instance of its class', async () => {
    const cart = (await transform({ lines: [{ quantity: 1 }], address: { street: 'a' } }, CART)) as Cart;
    expect([cart.lines?.[0], cart.address]).toEqual([expect.any(Line), expect.any(Address)]);
  });

  test.each([5, 'x', true, null])('is refused where it is none: %p', async (address) => {
    expect(await violationsOf({ lines: address, address }, CART)).toEqual(
      address === null
        ? []
        : ['lines must contain no more than 3 elements', 'lines must be an object', 'address must be an object'],
    );
  });

  test.each([[[]], [[{ street: 'a' }]]])('is refused where it is a list of them: %j', async (address) => {
    expect(await violationsOf({ address }, CART)).toEqual(['address must be an object, and no list']);
  });

  test('is not looked at in a list that is too long', async () => {
    const lines = Array.from({ length: 10_000 }, () => ({}));
    const violations = await violationsOf({ lines }, CART);
    expect(violations[0]).toBe('lines must contain no more than 3 elements');
    expect(violations).toHaveLength(9);
  });

  test('may be as deep as JSON may be', async () => {
    let line: Record<string, unknown> = { quantity: 11 };
    for (let depth = 0; depth < 48; depth += 1) line = { quantity: 1, lines: [line] };
    expect(await violationsOf({ lines: [line] }, CART)).toEqual([
      `${'lines.0.'.repeat(49)}quantity must not be greater than 10`,
    ]);
  });

  test('may not be called something that class-transformer passes over', async () => {
    const body: unknown = JSON.parse(
      '{"lines":[{"quantity":1,"__proto__":{"a":1}}],"anything":{"constructor":"x","b":{"__proto__":1}}}',
    );
    expect(await violationsOf(body, CART)).toEqual([
      'unknown member "lines.0.__proto__": it may not be called so',
      'unknown member "anything.constructor": it may not be called so',
      'unknown member "anything.b.__proto__": it may not be called so',
    ]);
  });
});

describe('a number beyond 2^53-1', () => {
  const RANGE = 'must be a number between -9007199254740991 and 9007199254740991: beyond that it would be rounded';

  test('is refused with its path where a number is declared, and nowhere else', async () => {
    const body = parseExactJson(
      '{"lines":[{"quantity":9007199254740993,"sizes":[1,9007199254740993]}],"total":1e60,"anything":{"a":[9007199254740993]}}',
    );
    expect(await violationsOf(body, CART)).toEqual([
      `lines.0.quantity ${RANGE}`,
      `lines.0.sizes.1 ${RANGE}`,
      `total ${RANGE}`,
    ]);
  });

  test('stays exact where nothing is declared', async () => {
    const body = parseExactJson('{"anything":{"a":[9007199254740993,5,1e60]}}');
    expect(await transform(body, CART)).toMatchObject({ anything: { a: [9007199254740993n, 5, 1e60] } });
  });

  test('is refused as a text too that becomes a number', async () => {
    expect(await violationsOf({ lines: [{ quantity: 1, sizes: ['9007199254740993'] }] }, CART)).toEqual([
      `lines.0.sizes.0 ${RANGE}`,
    ]);
  });
});

describe('what class-transformer does', () => {
  test('is done', async () => {
    expect(await transform({ trimmed: ' a ', at: '2026-01-02T03:04:05Z', secret: 'x' }, CART)).toEqual({
      trimmed: 'a',
      at: new Date('2026-01-02T03:04:05Z'),
      undecorated: 'default',
    });
  });

  test('is refused where it cannot read what was sent', async () => {
    expect(await violationsOf({ trimmed: 5 }, CART)).toEqual(['trimmed cannot be read: it is of another type']);
  });

  test('a name that a method has is refused, as class-transformer passes over it', async () => {
    expect(await violationsOf({ total: 1, sum: 5 }, CART)).toEqual([expect.stringMatching(/^unknown member "sum": /)]);
  });

  test('a field without a rule may not be sent', async () => {
    expect(await violationsOf({ undecorated: 'x' }, CART)).toEqual([
      expect.stringMatching(/^unknown member "undecorated": allowed are /),
    ]);
  });
});

class Later {
  @IsString()
  readonly name!: string;
}
registerDecorator({
  target: Later,
  propertyName: 'name',
  name: 'isFree',
  async: true,
  validator: {
    validate: (value: unknown) => Promise.resolve(value === 'free'),
    defaultMessage: () => 'name is taken',
  },
});

class LaterUnannounced {
  readonly name!: string;
}
registerDecorator({
  target: LaterUnannounced,
  propertyName: 'name',
  name: 'isFree',
  validator: {
    validate: (value: unknown) => Promise.resolve(value === 'free'),
    defaultMessage: () => 'name is taken',
  },
});

class Untyped {
  @ValidateNested()
  readonly address!: object;
}

test.each([Later, LaterUnannounced])('a rule that answers later is waited for: %p', async (type) => {
  expect(await transform({ name: 'free' }, metadata(type))).toEqual({ name: 'free' });
  expect(await violationsOf({ name: 'used' }, metadata(type))).toEqual(['name is taken']);
});

test('a nested object of no class is an error of the service, and does not pass', async () => {
  await expect(transform({ address: { street: 5 } }, metadata(Untyped))).rejects.toThrow(
    'address is not validated: its class has no rule. Say which class it is of, with @Type(() => …)',
  );
});

describe('a parameter without rules', () => {
  test.each([String, Number, Object, Unruled, undefined])('passes as it is when its type is %p', async (metatype) => {
    const value = { anything: 1 };
    expect(await transform(value, metadata(metatype, 'custom'))).toBe(value);
    expect(await transform(value, metadata(metatype))).toBe(value);
  });

  test.each<[string, unknown, unknown]>([
    ['5', Number, 5],
    ['1.5', Number, 1.5],
    ['', Number, ''],
    ['x', Number, 'x'],
    ['5', String, '5'],
    ['5', BigInt, '5'],
    ['true', Boolean, true],
    ['false', Boolean, false],
    ['x', Boolean, 'x'],
  ])('is of the type that is declared for it: %j as %p', async (value, metatype, expected) => {
    expect(await transform(value, metadata(metatype, 'query', 'n'))).toBe(expected);
    expect(await transform(value, metadata(metatype, 'param', 'n'))).toBe(expected);
  });

  test('is left out where it was not sent', async () => {
    expect(await transform(undefined, metadata(Number, 'query', 'n'))).toBeUndefined();
  });

  test('is refused where its number would be rounded', async () => {
    expect(await violationsOf('9007199254740993', metadata(Number, 'param', 'n'))).toEqual([
      'n must be a number between -9007199254740991 and 9007199254740991: beyond that it would be rounded',
    ]);
  });

  test('may be changed as a whole query', async () => {
    const query = (await transform(Object.freeze({ a: '1' }), metadata(Object, 'query'))) as Record<string, string>;
    query['a'] = '2';
    expect(query['a']).toBe('2');
  });
});
