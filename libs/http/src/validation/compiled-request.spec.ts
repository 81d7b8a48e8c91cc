import { Allow, ArrayMaxSize, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { IsInt64 } from './int64.decorator.js';
import { RequestClasses } from './request-class.js';
import type { Transformation, Transformations } from './transformations.js';

class Line {
  @IsString()
  readonly sku!: string;

  @IsInt()
  readonly quantity!: number;
}

class Order {
  @IsOptional()
  @ArrayMaxSize(5_000)
  @ValidateNested({ each: true })
  readonly lines?: Line[];

  @IsOptional()
  @ValidateNested()
  readonly first?: Line;

  @IsOptional()
  @IsInt64()
  readonly pet?: bigint;

  @Allow()
  readonly any?: unknown;
}

const FIELDS: Readonly<Record<string, Transformation>> = {
  lines: { typeOf: () => Line, takesLists: true },
  first: { typeOf: () => Line, takesLists: false },
  pet: 'to int64',
  other: 'other',
};

const TRANSFORMATIONS: Transformations = {
  renames: (type) => type.name === 'Renamed',
  ofField: (_type, field) => FIELDS[field] ?? 'none',
};

function makeOf(type: unknown) {
  const classes = new RequestClasses();
  classes.compileBy(TRANSFORMATIONS);
  return classes.get(type)?.make;
}

/** `undefined` where it is left to class-transformer and class-validator. */
function made(type: unknown, sent: object, isText = false): object | undefined {
  return makeOf(type)?.(sent as Record<string, unknown>, { isText, instances: 0 });
}

const LINE = { sku: 'a', quantity: 1 };

test('an instance has what was sent, its nested objects and lists included', () => {
  const order = made(Order, { lines: [LINE, LINE], first: LINE, pet: 7, any: [1, null, 'text'] }) as Order;
  expect(order).toEqual({ lines: [LINE, LINE], first: LINE, pet: 7n, any: [1, null, 'text'] });
  expect(order).toBeInstanceOf(Order);
  expect(order.first).toBeInstanceOf(Line);
  expect(order.lines?.[1]).toBeInstanceOf(Line);
});

test('a list is another one than that which was sent', () => {
  const any = ['text'];
  expect((made(Order, { any }) as Order).any).not.toBe(any);
});

test('an int64 of a query is a text', () => {
  expect(made(Order, { pet: '7' }, true)).toEqual({ pet: 7n });
  expect(made(Order, { pet: '7' })).toBeUndefined();
});

test.each<[string, object]>([
  ['an unknown name', { ayn: 1 }],
  ['an unknown name in a nested object', { first: { ...LINE, more: 1 } }],
  ['a rule that is broken', { pet: 1.5 }],
  ['a rule that is broken in a list', { lines: [LINE, { sku: 5, quantity: 1 }] }],
  ['a list where one object is declared', { first: [LINE] }],
  ['what is no object', { first: 'a line' }],
  ['a list that holds none', { lines: [LINE, null] }],
  ['a list in a list', { lines: [[LINE]] }],
  ['an object of which nothing is known', { any: { id: 1 } }],
  ['a list of them', { any: [{ id: 1 }] }],
  ['a number that was rounded', { any: 2 ** 53 }],
  ['an integer beyond 2^53-1 where none is declared', { any: 9007199254740993n }],
  ['more nested objects than a body may hold', { lines: new Array<object>(2_001).fill(LINE) }],
  ['a prototype of its own', Object.create({ any: 1 }) as object],
])('what has %s is left to class-validator', (_what, sent) => {
  expect(made(Order, sent)).toBeUndefined();
});

class WithMethod {
  @Allow()
  any(): string {
    return this.constructor.name;
  }
}

class WithFunction {
  @Allow()
  readonly any: unknown = () => undefined;
}

class WithDefault {
  @ValidateNested()
  readonly first: unknown = Object.assign(new Line(), { sku: 5 });
}

class WithOther {
  @Allow()
  readonly other: unknown;
}

class Renamed {
  @Allow()
  readonly any: unknown;
}

class Untyped {
  @ValidateNested()
  readonly any: unknown;
}

test.each([WithMethod, WithFunction, WithDefault, WithOther, Renamed, Untyped])(
  'a class whose values are not just copied is left to class-transformer: %p',
  (type) => {
    expect(made(type, type === WithDefault ? {} : { [type === WithOther ? 'other' : 'any']: 1 })).toBeUndefined();
  },
);

test('a class that was known before is compiled too, and stays what it is for whoever keeps it', () => {
  const classes = new RequestClasses();
  const known = classes.get(Line);
  expect(known?.make).toBeUndefined();
  classes.compileBy(TRANSFORMATIONS);
  expect(known?.make?.(LINE, { isText: false, instances: 0 })).toEqual(LINE);
  expect(classes.get(Line)).toBe(known);
});
