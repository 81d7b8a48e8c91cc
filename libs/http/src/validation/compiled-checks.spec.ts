import {
  Allow,
  getMetadataStorage,
  IsArray,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  registerDecorator,
  ValidateIf,
  ValidateNested,
  validateSync,
} from 'class-validator';
import fc from 'fast-check';
import { compileChecks, type Checks } from './compiled-checks.js';
import { Optional } from './optional.decorator.js';
import { Satisfies } from './satisfies.decorator.js';

class Line {
  @IsInt()
  @Min(1)
  @Max(9)
  readonly count!: number;

  @IsString()
  @MaxLength(3, { always: true })
  readonly name!: string;

  @IsOptional()
  @IsString()
  readonly note?: string;

  @ValidateIf(({ count }: Line) => count > 5)
  @ValidateIf((_line, value) => value !== 'skip')
  @IsInt()
  readonly reason?: unknown;
}

class Inherited extends Line {
  @IsString()
  readonly label!: string;
}

class Nested {
  @ValidateNested()
  readonly line!: Line;
}

class Each {
  @IsArray()
  @IsInt({ each: true })
  @Max(9, { each: true })
  readonly counts!: number[];

  @Allow()
  readonly anything?: unknown;

  @IsOptional()
  @IsString({ each: true })
  readonly name?: string | string[];
}

function isShort(value: unknown): string | undefined {
  return typeof value === 'string' && value.length < 4 ? undefined : 'must be short';
}

class Ruled {
  @Satisfies(isShort)
  readonly name!: string;

  @Optional()
  @Satisfies(isShort)
  readonly note?: string;

  @Optional()
  @ValidateIf((_ruled, value) => value !== 'skip')
  @IsInt()
  readonly reason?: unknown;
}

class Asynchronous {
  readonly name!: string;
}
registerDecorator({
  target: Asynchronous,
  propertyName: 'name',
  async: true,
  validator: { validate: () => Promise.resolve(false) },
});

class Unannounced {
  readonly name!: string;
}
registerDecorator({
  target: Unannounced,
  propertyName: 'name',
  validator: { validate: () => Promise.resolve(true) },
});

function compiled(type: new () => object): Checks | undefined {
  return compileChecks(getMetadataStorage().getTargetValidationMetadatas(type, '', false, false), type.name);
}

function obeys(type: new () => object, members: object): boolean | undefined {
  return compiled(type)?.(Object.assign(new type(), members));
}

const values = fc.oneof(
  fc.integer({ min: -1, max: 10 }),
  fc.constantFrom<unknown>('', 'abc', 'abcd', 'skip', null, undefined, true, 1.5, [], {}),
);
const lists = fc.oneof(values, fc.array(values, { maxLength: 3 }), fc.array(fc.integer({ min: 1, max: 9 })));
const lines = fc.record(
  { counts: lists, count: values, name: lists, note: values, reason: values, label: values },
  { requiredKeys: [] },
);

describe('the compiled rules of a class', () => {
  test.each([Line, Inherited, Each, Ruled])('hold for whatever class-validator has nothing against: %p', (type) => {
    fc.assert(
      fc.property(lines, (members) => {
        const violations = validateSync(Object.assign(new type(), members), { forbidUnknownValues: false });
        expect(obeys(type, members)).toBe(violations.length === 0);
      }),
      {
        numRuns: 2_000,
        examples: [[{ count: 1, name: 'abc', label: '' }], [{ count: 6, name: 'abc', label: '', reason: 'skip' }]],
      },
    );
  });

  test.each([Nested, Asynchronous])('are left to class-validator where they are no plain calls: %p', (type) => {
    expect(compiled(type)).toBeUndefined();
  });

  test('do not hold where a rule answers later, without having said so', () => {
    expect(obeys(Unannounced, { name: 'a' })).toBe(false);
  });
});
