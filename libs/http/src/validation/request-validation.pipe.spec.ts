import type { ArgumentMetadata } from '@nestjs/common';
import fc from 'fast-check';
import { RoundedFraction } from '../json/exact-numbers.js';
import { Obeys, Optional } from './rules.decorators.js';
import { RequestValidationPipe } from './request-validation.pipe.js';

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? undefined : 'must be a string';
}

class Order {
  @Obeys(text)
  readonly name!: string;

  @Obeys(text)
  readonly categoryId!: string;

  @Optional()
  @Obeys(text)
  readonly status?: string;
}

function integer(value: unknown): string | undefined {
  return typeof value === 'bigint' ? undefined : 'must be an integer';
}

class Count {
  @Obeys(integer)
  readonly exact!: bigint;

  @Optional()
  @Obeys(() => undefined)
  readonly plain?: number;
}

class Unruled {
  readonly name = 'no rule';
}

const BODY: ArgumentMetadata = { type: 'body', metatype: Order, data: undefined };
const QUERY: ArgumentMetadata = { type: 'query', metatype: Order, data: undefined };

const VALID = { name: 'a', categoryId: 'b' };

function transform(value: unknown, metadata = BODY): unknown {
  return new RequestValidationPipe().transform(value, metadata);
}

/** The sentences in the message of the refusal. */
function violationsOf(value: unknown, metadata = BODY): string[] {
  try {
    transform(value, metadata);
  } catch (error) {
    return (error as Error).message.split('; ');
  }
  return [];
}

describe('a valid value', () => {
  test('becomes an instance of its class', () => {
    expect(transform({ ...VALID, status: 'c' })).toBeInstanceOf(Order);
  });

  test('keeps its members as they were sent', () => {
    expect(transform({ ...VALID, status: 'c' })).toEqual({ ...VALID, status: 'c' });
  });

  test('may leave out what is optional', () => {
    expect(transform(VALID)).toEqual(VALID);
  });

  test('becomes an instance that nobody can change', () => {
    expect(Object.isFrozen(transform(VALID))).toBe(true);
  });

  test('that is frozen is validated once, as it cannot become another one', () => {
    const pipe = new RequestValidationPipe();
    const query = Object.freeze({ ...VALID });
    expect(pipe.transform(query, QUERY)).toBe(pipe.transform(query, QUERY));
  });

  test('that may still change is validated every time', () => {
    const pipe = new RequestValidationPipe();
    const body: Record<string, unknown> = { ...VALID };
    pipe.transform(body, BODY);
    body['name'] = 5;
    expect(() => pipe.transform(body, BODY)).toThrow('name must be a string');
  });

  test('that has no prototype is as good as any', () => {
    expect(transform(Object.assign(Object.create(null) as object, VALID), QUERY)).toEqual(VALID);
  });
});

describe('a number', () => {
  const COUNT: ArgumentMetadata = { type: 'body', metatype: Count, data: undefined };

  test('becomes a bigint where the field is declared as one, and there alone', () => {
    expect(transform({ exact: 7, plain: 7 }, COUNT)).toEqual({ exact: 7n, plain: 7 });
  });

  test.each([
    [-0, 0n],
    [9007199254740991, 9007199254740991n],
    [9223372036854775807n, 9223372036854775807n],
  ])('keeps its value: %p', (exact, value) => {
    expect(transform({ exact }, COUNT)).toEqual({ exact: value });
  });

  test.each([1.5, 1e30, Infinity, new RoundedFraction(1), '7', true, null, undefined])(
    'does not come of what is no exact integer: %p',
    (exact) => {
      expect(violationsOf({ exact }, COUNT)).toHaveLength(1);
    },
  );
});

describe('a value that breaks rules', () => {
  test('is refused with all of them at once', () => {
    expect(violationsOf({ name: 1, status: 2, nmae: 'x' })).toEqual([
      'name must be a string',
      'categoryId is required and must be a string',
      'status must be a string',
      'unknown member "nmae": did you mean name?',
    ]);
  });

  test('is refused as invalid', () => {
    expect(() => transform({})).toThrow(expect.objectContaining({ kind: 'invalid', code: 'invalid_request' }) as Error);
  });

  test('is refused when an optional member is null', () => {
    expect(violationsOf({ ...VALID, status: null })).toEqual(['status must be a string']);
  });

  test('does not get a member from its prototype', () => {
    expect(violationsOf(Object.create(VALID))).toHaveLength(2);
  });

  test.each([undefined, null, 'text', 1, 1n, true, [], [VALID]])('is refused when it is no object: %p', (value) => {
    expect(violationsOf(value)).toEqual(['The body must be a JSON object']);
  });
});

describe('a name that the class does not have', () => {
  test.each([
    ['nmae', 'name'],
    ['Name', 'name'],
    ['category_id', 'categoryId'],
    ['CATEGORYID', 'categoryId'],
    ['stauts', 'status'],
  ])('is answered with the one that was probably meant: %s', (wrong, meant) => {
    expect(violationsOf({ ...VALID, [wrong]: 1 })).toEqual([`unknown member "${wrong}": did you mean ${meant}?`]);
  });

  test('is answered with those that are allowed when it is like none of them', () => {
    expect(violationsOf({ ...VALID, veterinarian: 1 })).toEqual([
      'unknown member "veterinarian": allowed are name, categoryId, status',
    ]);
  });

  test('is called a query parameter in a query', () => {
    expect(violationsOf({ ...VALID, stauts: 'x' }, QUERY)).toEqual([
      'unknown query parameter "stauts": did you mean status?',
    ]);
  });

  test('are not repeated at length, nor without end', () => {
    const names = Array.from({ length: 1000 }, (_, index) => `${index}${'x'.repeat(1000)}`);
    const violations = violationsOf({ ...VALID, ...Object.fromEntries(names.map((name) => [name, 1])) });
    expect(violations).toHaveLength(21);
    expect(violations[10]).toBe(`unknown member "10${'x'.repeat(62)}…": allowed are name, categoryId, status`);
    expect(violations.at(-1)).toBe('and 980 more');
    expect(violations.join().length).toBeLessThan(3000);
  });

  test('is refused even when it is called like something that every object has', () => {
    const names = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype');
    fc.assert(
      fc.property(names, (name) => {
        const value = Object.defineProperty({ ...VALID }, name, { value: {}, enumerable: true });
        expect(violationsOf(value)).toHaveLength(1);
      }),
    );
  });

  test('is refused, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }), (name) => {
        fc.pre(!['name', 'categoryId', 'status'].includes(name));
        const value = Object.defineProperty({ ...VALID }, name, { value: 1, enumerable: true });
        expect(() => transform(value)).toThrow(`unknown member ${JSON.stringify(name)}: `);
      }),
    );
  });
});

describe('a parameter without rules', () => {
  test.each([String, Number, Object, Unruled, undefined])('passes as it is when its type is %p', (metatype) => {
    const value = { anything: 1 };
    expect(transform(value, { type: 'custom', metatype, data: undefined } as ArgumentMetadata)).toBe(value);
  });
});
