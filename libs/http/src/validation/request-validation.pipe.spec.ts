import { BadRequestException, type ArgumentMetadata } from '@nestjs/common';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsOptional,
  IsString,
  Max,
  registerDecorator,
  ValidateNested,
} from 'class-validator';
import { PartialType } from '@nestjs/swagger';
import fc from 'fast-check';
import { parseExactJson } from '../json/exact-json.js';
import { errorResponseOf } from '../responses/error.filter.js';
import { IsInt64, Optional, Satisfies } from './field-rules.decorators.js';
import { RequestValidationPipe } from './request-validation.pipe.js';

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? undefined : 'must be a string';
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
  @Transform(() => {
    throw new BadRequestException('by its own error');
  })
  readonly refused?: string;

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

class Unruled {
  readonly name = 'no rule';
}

function metadata(metatype: unknown, type: ArgumentMetadata['type'] = 'body', data?: string): ArgumentMetadata {
  return { type, metatype: metatype as never, data };
}

const BODY = metadata(Order);
const QUERY = metadata(Order, 'query');
const CART = metadata(Cart);
const VALID = { name: 'a', categoryId: 'b' };

const pipe = new RequestValidationPipe();

async function transform(value: unknown, about: ArgumentMetadata): Promise<unknown> {
  return await pipe.transform(value, about);
}

/** The sentences in the message of the refusal. */
async function violationsOf(value: unknown, about: ArgumentMetadata): Promise<string[]> {
  try {
    await transform(value, about);
  } catch (error) {
    if (!(error instanceof BadRequestException)) throw error;
    const { message } = error.getResponse() as { readonly message: string | string[] };
    return [message].flat();
  }
  return [];
}

describe('what a client sends', () => {
  test.each([
    [{ ...VALID, status: 'c' }, BODY],
    [VALID, BODY],
    [Object.assign(Object.create(null) as object, VALID), QUERY],
  ])('becomes an instance of its class, with the members that were sent: %j', async (value, about) => {
    const instance = await transform(value, about);
    expect(instance).toBeInstanceOf(Order);
    expect(instance).toEqual({ ...value });
  });

  test('is refused with all its violations at once', async () => {
    expect(await violationsOf({ name: 1, status: null, nmae: 'x' }, BODY)).toEqual([
      'name must be a string',
      'categoryId is required and must be a string',
      'status must be a string',
      'unknown member "nmae": did you mean name?',
    ]);
    await expect(transform({}, BODY)).rejects.toThrow(BadRequestException);
  });

  test.each([null, 'text', 1, 1n, true, [], [VALID]])('is refused if it is not an object: %p', async (value) => {
    expect(await violationsOf(value, BODY)).toEqual(['The body must be a JSON object']);
  });

  test('must not be missing', async () => {
    expect(await violationsOf(undefined, BODY)).toEqual(['A body is required: send a JSON object']);
  });

  test('has the name of the member from which a parameter is made', async () => {
    const about = metadata(Order, 'body', 'order');
    expect(await violationsOf(undefined, about)).toEqual(['order is required and must be an object']);
    expect(await violationsOf(5, about)).toEqual(['order must be an object']);
    expect(await violationsOf({ ...VALID, name: 5, evil: 1 }, about)).toEqual([
      'order.name must be a string',
      'unknown member "order.evil": allowed are name, categoryId, status',
    ]);
  });

  test.each([
    ['name', () => Promise.resolve(false)],
    ['name', () => Promise.resolve(true)],
  ])('waits for rules that return a promise, announced as such or not', async (name, validate) => {
    const isValid = await validate();
    for (const isAnnounced of [true, false]) {
      class Later {
        readonly name!: string;
      }
      registerDecorator({
        target: Later,
        propertyName: name,
        async: isAnnounced,
        validator: { validate, defaultMessage: () => 'name is taken' },
      });
      expect(await violationsOf({ name: 'a' }, metadata(Later))).toEqual(isValid ? [] : ['name is taken']);
    }
  });
});

describe('an unknown name', () => {
  test.each([
    ['nmae', ': did you mean name?'],
    ['category_id', ': did you mean categoryId?'],
    ['stauts', ': did you mean status?'],
    ['tags', ': allowed are name, categoryId, status'],
    ['m', ': allowed are name, categoryId, status'],
    ['veterinarian', ': allowed are name, categoryId, status'],
  ])('is refused with what was probably meant: %s', async (wrong, hint) => {
    expect(await violationsOf({ ...VALID, [wrong]: 1 }, BODY)).toEqual([`unknown member "${wrong}"${hint}`]);
  });

  test('is shortened in the message, and only the first ones are named', async () => {
    const names = Array.from({ length: 990 }, (_, index) => `${index}${'x'.repeat(1000)}`);
    const violations = await violationsOf({ ...VALID, ...Object.fromEntries(names.map((name) => [name, 1])) }, BODY);
    expect(violations).toHaveLength(20);
    expect(violations[10]).toBe(`unknown member "10${'x'.repeat(62)}…": allowed are name, categoryId, status`);
    expect(violations.at(-1)).toBe('and 971 more');
    expect(errorResponseOf({ message: violations }, 400).message).toMatch(/; and 971 more$/);
  });

  test('is refused, whatever it is', async () => {
    const OF_EVERY_OBJECT = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype');
    const ANY = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) });
    const names = fc.oneof(OF_EVERY_OBJECT, ANY);
    await fc.assert(
      fc.asyncProperty(names, fc.constantFrom<unknown>({}, 1, 'x'), async (name, member) => {
        fc.pre(!['name', 'categoryId', 'status'].includes(name));
        const value = Object.defineProperty({ ...VALID }, name, {
          value: member,
          enumerable: true,
          configurable: true,
          writable: true,
        });
        const [violation] = await violationsOf(value, BODY);
        expect(violation).toMatch(`unknown member ${JSON.stringify(name)}: `);
      }),
    );
  });

  test.each([
    ['a method', { total: 1, sum: 5 }, 'sum'],
    ['a field without a rule', { undecorated: 'x' }, 'undecorated'],
  ])('may be that of %s', async (_what, body, name) => {
    expect(await violationsOf(body, CART)).toEqual([expect.stringMatching(`^unknown member "${name}": `)]);
  });

  test('that every object has is refused in nested objects too', async () => {
    const body: unknown = JSON.parse(
      '{"lines":[{"quantity":1,"__proto__":{"a":1}}],"anything":{"constructor":"x","b":{"__proto__":1}}}',
    );
    expect(await violationsOf(body, CART)).toEqual([
      'unknown member "lines.0.__proto__": this name is not allowed',
      'unknown member "anything.constructor": this name is not allowed',
      'unknown member "anything.b.__proto__": this name is not allowed',
    ]);
  });
});

describe('a nested object', () => {
  test('is validated, each violation with its path', async () => {
    const body = { lines: [{ quantity: 'x', evil: 1 }, 'x', null], address: { street: 5, stret: 1 } };
    expect(await violationsOf(body, CART)).toEqual([
      'lines.0.quantity must not be greater than 10',
      'lines.0.quantity must be an integer number',
      'lines.1 must be an object',
      'lines.2 must be an object',
      'address.street must be a string',
      'unknown member "lines.0.evil": allowed are quantity, sizes, lines',
      'unknown member "address.stret": did you mean street?',
    ]);
  });

  test.each([
    [{ address: 5 }, ['address must be an object']],
    [{ address: [] }, ['address must be an object, and no list']],
    [{ address: [{ street: 'a' }] }, ['address must be an object, and no list']],
    [{ lines: 5 }, ['lines must contain no more than 3 elements', 'lines must be an object']],
  ])('is refused in another form: %j', async (body, violations) => {
    expect(await violationsOf(body, CART)).toEqual(violations);
  });

  test('may be nested as deeply as JSON', async () => {
    let line: Record<string, unknown> = { quantity: 11 };
    for (let depth = 0; depth < 48; depth += 1) line = { quantity: 1, lines: [line] };
    expect(await violationsOf({ lines: [line] }, CART)).toEqual([
      `${'lines.0.'.repeat(49)}quantity must not be greater than 10`,
    ]);
  });

  class Unruled {
    readonly street!: string;
  }

  class Untyped {
    @ValidateNested()
    readonly address!: object;
  }

  class WithUnruled {
    @ValidateNested()
    @Type(() => Unruled)
    readonly address!: Unruled;
  }

  test.each([Untyped, WithUnruled])('without a rule is an error of the service: %p', async (type) => {
    await expect(transform({ address: { street: 5 } }, metadata(type))).rejects.toThrow(
      'address is not validated: its class has no rule. Say which class it is of, with @Type(() => …)',
    );
  });
});

describe('an int64', () => {
  const COUNT = metadata(Count);

  test('is a bigint, and an integer of another field is a number', async () => {
    expect(await transform({ exact: 7, list: [7, 8], plain: 7 }, COUNT)).toEqual({
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
  ])('is exact: %s', async (sent, value) => {
    const body = parseExactJson(`{"exact":${sent},"list":[${sent}]}`);
    expect(await transform(body, COUNT)).toEqual({ exact: value, list: [value] });
  });

  test.each([...['1.5', '1e30', '1e60', '1e400', '9223372036854775808'], ...['"7"', 'true', 'null', '[7]', '{}']])(
    'is refused if it is not one: %s',
    async (sent) => {
      const body = parseExactJson(`{"exact":${sent},"list":[1,${sent}]}`);
      const RANGE = 'must be an integer between -9223372036854775808 and 9223372036854775807, written as a JSON number';
      expect(await violationsOf(body, COUNT)).toEqual([`exact ${RANGE}`, `each value in list ${RANGE}`]);
    },
  );

  test('is written in plain digits in a query', async () => {
    const about = metadata(Count, 'query');
    expect(await transform({ exact: '9007199254740993' }, about)).toEqual({ exact: 9007199254740993n });
    expect(await violationsOf({ exact: '1.0' }, about)).toEqual([
      'exact must be an integer between -9223372036854775808 and 9223372036854775807, written in plain decimal digits',
    ]);
  });
});

test.each([-1n, 101n])('an int64 outside of its own range is refused: %s', async (share) => {
  class Share {
    @IsInt64({ min: 0n, max: 100n })
    readonly share!: bigint;
  }
  expect(await transform({ share: 100 }, metadata(Share))).toEqual({ share: 100n });
  expect(await violationsOf({ share: Number(share) }, metadata(Share))).toEqual([
    'share must be an integer between 0 and 100, written as a JSON number',
  ]);
});

test('an int64 that @Expose renames is exact', async () => {
  const exact = parseExactJson('{"category_id":9007199254740993,"other_ids":[1,9007199254740993]}');
  expect(await transform(exact, metadata(Renamed))).toEqual({
    categoryId: 9007199254740993n,
    otherIds: [1n, 9007199254740993n],
  });
});

describe('a number beyond 2^53-1', () => {
  const RANGE = 'must be a number between -9007199254740991 and 9007199254740991: beyond that it would be rounded';

  test('is refused with its path where a number is declared, also as a text that becomes one', async () => {
    const body = parseExactJson(
      '{"lines":[{"quantity":9007199254740993,"sizes":[1,9007199254740993,"9007199254740993"]}],"total":1e60,"anything":{"a":[9007199254740993]}}',
    );
    expect(await violationsOf(body, CART)).toEqual([
      'lines.0.quantity must not be greater than 10',
      'lines.0.quantity must be an integer number',
      `lines.0.sizes.1 ${RANGE}`,
      `lines.0.sizes.2 ${RANGE}`,
    ]);
  });

  test('is exact where nothing is declared', async () => {
    const body = parseExactJson('{"anything":{"a":[9007199254740993,5,1e60]}}');
    expect(await transform(body, CART)).toMatchObject({ anything: { a: [9007199254740993n, 5, 1e60] } });
  });
});

describe('class-transformer', () => {
  test('has its effect', async () => {
    expect(await transform({ trimmed: ' a ', at: '2026-01-02T03:04:05Z', secret: 'x' }, CART)).toEqual({
      trimmed: 'a',
      at: new Date('2026-01-02T03:04:05Z'),
      undecorated: 'default',
    });
  });

  test.each([
    [{ trimmed: 5 }, 'trimmed cannot be read: it is of another type'],
    [{ refused: 'x' }, 'by its own error'],
  ])('refuses what a @Transform() cannot read, or refuses itself: %j', async (body, message) => {
    expect(await violationsOf(body, CART)).toEqual([message]);
  });
});

describe('what class-validator and class-transformer are known to let pass', () => {
  class Row {
    @IsString()
    readonly street!: string;
  }

  class Lists {
    @IsOptional()
    @ValidateNested({ each: true })
    @Type(() => Row)
    readonly rows?: Row[];

    @IsOptional()
    @IsInt()
    @Type(() => Number)
    readonly count?: number;
  }

  class Search {
    @IsOptional()
    @IsArray()
    @IsString({ each: true })
    readonly colours?: string[];

    @IsOptional()
    @IsBoolean()
    readonly plain?: boolean;

    @IsOptional()
    @IsBoolean()
    @Type(() => Boolean)
    readonly typed?: boolean;

    @IsOptional()
    @IsBoolean()
    @Transform(({ value }) => value === 'yes')
    readonly own?: boolean;

    @IsOptional()
    @IsInt()
    readonly page?: number;

    @IsOptional()
    @IsInt()
    @Type(() => Number)
    readonly size?: number;

    @IsOptional()
    @IsArray()
    @Transform(({ value }) => (value as string).split(','))
    readonly split?: string[];
  }

  const LISTS = metadata(Lists);
  const SEARCH = metadata(Search, 'query');

  test.each<[string, object, ArgumentMetadata, string]>([
    ['a list in a list of objects', { rows: [[{ street: 'x' }]] }, LISTS, 'rows.0 must be an object, and no list'],
    ['an empty list there', { rows: [[]] }, LISTS, 'rows.0 must be an object, and no list'],
    [
      'a number that @Type would round',
      parseExactJson('{"count":9007199254740993}') as object,
      LISTS,
      'count must be a',
    ],
    ['a boolean of another text', { typed: 'abc' }, SEARCH, 'typed must be true or false'],
    ['an empty boolean', { plain: '' }, SEARCH, 'plain must be true or false'],
    ['a repeated boolean', { plain: ['true', 'false'] }, SEARCH, 'plain was sent 2 times: send it once'],
    ['a number in another notation', { size: '0x10' }, SEARCH, 'size must be a number, written in plain'],
    ['a number with an exponent', { size: '1e1' }, SEARCH, 'size must be a number, written in plain'],
    ['a number behind a blank', { size: ' 5' }, SEARCH, 'size must be a number, written in plain'],
    ['an empty number', { size: '' }, SEARCH, 'size must be a number, written in plain'],
    ['a number that would be rounded', { page: '9007199254740993' }, SEARCH, 'page must be a number between'],
  ])('is refused: %s', async (_what, value, about, violation) => {
    expect(await violationsOf(value, about)).toEqual([expect.stringContaining(violation) as string]);
  });

  test.each([
    [{ colours: 'red' }, { colours: ['red'] }],
    [{ colours: ['red', 'blue'] }, { colours: ['red', 'blue'] }],
    [{ plain: 'false' }, { plain: false }],
    [{ typed: 'false' }, { typed: false }],
    [{ typed: 'true' }, { typed: true }],
    [{ own: 'yes' }, { own: true }],
    [
      { page: '5', size: '-7' },
      { page: 5, size: -7 },
    ],
    [{ split: 'a,b' }, { split: ['a', 'b'] }],
  ])('is read as the type of a query member declares it: %j', async (query, expected) => {
    expect(await transform(query, SEARCH)).toEqual(expected);
  });
});

describe('a class of PartialType', () => {
  class Stay {
    @IsInt()
    readonly rooms: number = 3;

    @IsOptional()
    @ValidateNested()
    @Type(() => Address)
    readonly address?: Address;
  }

  class Flat {
    @IsInt()
    readonly rooms: number = 3;
  }

  test.each([
    ['flat', Flat],
    ['with nested objects', Stay],
  ])('leaves out what was not sent, %s; the class itself has its default value', async (_what, type) => {
    class Changed extends PartialType<object>(type) {}
    expect(await transform({}, metadata(type))).toMatchObject({ rooms: 3 });
    expect(Object.hasOwn((await transform({}, metadata(Changed))) as object, 'rooms')).toBe(false);
    expect(await transform({ rooms: 3 }, metadata(Changed))).toMatchObject({ rooms: 3 });
    expect(await transform({ rooms: 5 }, metadata(Changed))).toMatchObject({ rooms: 5 });
  });
});

describe('a parameter without rules', () => {
  test.each([String, Number, Object, undefined])('stays as it is if its type is %p', async (metatype) => {
    const value = { anything: 1 };
    for (const type of ['custom', 'body', 'query'] as const) {
      expect(await transform(value, metadata(metatype, type))).toBe(value);
    }
  });

  test.each<[unknown, unknown, unknown]>([
    ['5', Number, 5],
    ['1.5', Number, 1.5],
    ['', Number, ''],
    ['x', Number, 'x'],
    ['5', String, '5'],
    ['5', BigInt, '5'],
    ['true', Boolean, true],
    ['false', Boolean, false],
    ['x', Boolean, 'x'],
    [undefined, Number, undefined],
  ])('has its declared type if the text is one: %j as %p', async (value, metatype, expected) => {
    expect(await transform(value, metadata(metatype, 'query', 'n'))).toBe(expected);
    expect(await transform(value, metadata(metatype, 'param', 'n'))).toBe(expected);
  });

  test('is an error of the service if its class has no rule, as nothing of it would be validated', async () => {
    await expect(transform({ name: 'x' }, metadata(Unruled))).rejects.toThrow('Unruled of @Body() has no rule');
  });

  test('is refused if its number would be rounded', async () => {
    expect(await violationsOf('9007199254740993', metadata(Number, 'param', 'n'))).toEqual([
      'n must be a number between -9007199254740991 and 9007199254740991: beyond that it would be rounded',
    ]);
  });
});
