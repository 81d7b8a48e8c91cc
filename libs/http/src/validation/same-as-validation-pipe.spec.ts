import { ValidationPipe, type ArgumentMetadata, type Type } from '@nestjs/common';
import * as transformer from 'class-transformer';
import * as validator from 'class-validator';
import {
  Allow,
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import fc from 'fast-check';
import { IsInt64 } from './field-rules.decorators.js';
import { RequestValidationPipe } from './request-validation.pipe.js';

const documented = new ValidationPipe({
  transform: true,
  whitelist: true,
  forbidNonWhitelisted: true,
  validatorPackage: validator,
  transformerPackage: transformer,
});

class Nested {
  @IsInt()
  readonly count!: number;

  @IsOptional()
  @ValidateNested()
  @transformer.Type(() => Nested)
  readonly more?: Nested;
}

/** Rules that a flat class may have, by name so that a failure tells them. */
const RULES: Readonly<Record<string, () => PropertyDecorator>> = {
  isString: () => IsString(),
  isInt: () => IsInt(),
  isNumber: () => IsNumber(),
  isBoolean: () => IsBoolean(),
  isDefined: () => IsDefined(),
  isOptional: () => IsOptional(),
  isIn: () => IsIn(['a', 1]),
  min: () => Min(2),
  max: () => Max(5),
  length: () => Length(1, 2),
  isArray: () => IsArray(),
  arrayMaxSize: () => ArrayMaxSize(1),
  eachString: () => IsString({ each: true }),
  eachMax: () => Max(5, { each: true }),
  allow: () => Allow(),
  isInt64: () => IsInt64(),
  eachInt64: () => IsInt64({ each: true }),
  onlyWithA: () => ValidateIf((object: { a?: unknown }) => object.a !== undefined),
};

/** What makes a class one that only class-transformer and class-validator can serve. */
const MORE: Readonly<Record<string, () => PropertyDecorator>> = {
  toNumber: () => transformer.Type(() => Number),
  toText: () =>
    transformer.Transform(({ value }: { value: unknown }) => (typeof value === 'number' ? String(value) : value)),
  excluded: () => transformer.Exclude(),
  exposed: () => transformer.Expose(),
  nested: () => (target, name) => {
    ValidateNested()(target, name);
    transformer.Type(() => Nested)(target, name);
  },
  nestedList: () => (target, name) => {
    Reflect.defineMetadata('design:type', Array, target, name);
    ValidateNested({ each: true })(target, name);
    transformer.Type(() => Nested)(target, name);
  },
  nestedSet: () => (target, name) => {
    Reflect.defineMetadata('design:type', Set, target, name);
    ValidateNested({ each: true })(target, name);
    transformer.Type(() => Nested)(target, name);
  },
  nestedMap: () => (target, name) => {
    Reflect.defineMetadata('design:type', Map, target, name);
    ValidateNested({ each: true })(target, name);
    transformer.Type(() => Nested)(target, name);
  },
};

const NAMES = ['a', 'b', 'c', 'd'];

type Shape = Readonly<Record<string, readonly string[]>>;

function classOf(shape: Shape): Type<object> {
  class Generated {
    toString(): string {
      return JSON.stringify(shape);
    }
  }
  for (const [name, rules] of Object.entries(shape)) {
    for (const rule of rules) (RULES[rule] ?? MORE[rule])!()(Generated.prototype, name);
  }
  return Generated;
}

function shapes(rules: readonly string[]) {
  const ofField = fc.array(fc.constantFrom(...rules), { minLength: 1, maxLength: 3 });
  return fc.dictionary(fc.constantFrom(...NAMES), ofField, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
}

const simple = fc.oneof(
  fc.integer({ min: -1, max: 7 }),
  fc.constantFrom<unknown>('', 'a', 'abc', '3', null, true, 1.5, { count: 1 }, { count: 'x' }, { more: 1 }, {}),
  fc.constantFrom<unknown>({ count: 1, more: { count: 2 } }, { count: 1, more: { count: 'x' } }),
);
const values = fc.oneof(simple, fc.array(simple, { maxLength: 3 }));
const bodies = fc.dictionary(fc.constantFrom(...NAMES, 'unknown'), values, { noNullPrototype: true });

/**
 * A class without a rule is refused at start. What is exposed and has no rule is part of every instance, so that Nest refuses
 * all of them, whatever was sent.
 */
function isUseful(shape: Shape): boolean {
  const fields = Object.values(shape);
  const hasRule = (names: readonly string[]) => names.some((name) => name in RULES || name.startsWith('nested'));
  return fields.some(hasRule) && fields.every((names) => hasRule(names) || !names.includes('exposed'));
}

/** The instance, or that it was refused. */
async function outcome(
  pipe: { transform: (value: unknown, about: ArgumentMetadata) => unknown },
  type: Type,
  body: object,
) {
  try {
    // class-transformer may change what it is given.
    return { value: await pipe.transform(structuredClone(body), { type: 'body', metatype: type, data: undefined }) };
  } catch (error) {
    if ((error as { kind?: string }).kind !== 'invalid' && !(error as { getStatus?: unknown }).getStatus) throw error;
    return { value: 'refused' };
  }
}

const ALL = [...Object.keys(RULES), ...Object.keys(MORE)];

test.each([
  ['where the class is flat', Object.keys(RULES)],
  ['where it has decorators of class-transformer', ALL],
])(
  'whatever the rules and the body are, the outcome is that of the ValidationPipe of Nest, %s',
  async (_what, rules) => {
    await fc.assert(
      fc.asyncProperty(shapes(rules), bodies, async (shape, body) => {
        fc.pre(isUseful(shape));
        const type = classOf(shape);
        // A list where one object is declared is refused here alone; the generated classes do not say what they declare.
        expect(await outcome(new RequestValidationPipe(), type, body)).toEqual(await outcome(documented, type, body));
      }),
      { numRuns: 300 },
    );
  },
);
