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
import { PlainRequest } from './plain-request.decorator.js';
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
  onlyWithA: () => ValidateIf((object: { a?: unknown }) => object.a !== undefined),
};

/** What makes a class one that only class-transformer and class-validator can serve. */
const MORE: Readonly<Record<string, () => PropertyDecorator>> = {
  toNumber: () => transformer.Type(() => Number),
  toText: () =>
    transformer.Transform(({ value }: { value: unknown }) => (typeof value === 'number' ? String(value) : value)),
  excluded: () => transformer.Exclude(),
  nested: () => (target, name) => {
    ValidateNested()(target, name);
    transformer.Type(() => Nested)(target, name);
  },
};

const NAMES = ['a', 'b', 'c', 'd'];

type Shape = Readonly<Record<string, readonly string[]>>;

function classOf(shape: Shape, ...decorators: ClassDecorator[]): Type<object> {
  class Generated {
    toString(): string {
      return JSON.stringify(shape);
    }
  }
  for (const [name, rules] of Object.entries(shape)) {
    for (const rule of rules) (RULES[rule] ?? MORE[rule])!()(Generated.prototype, name);
  }
  for (const decorate of decorators) decorate(Generated);
  return Generated;
}

function shapes(rules: readonly string[]) {
  const ofField = fc.array(fc.constantFrom(...rules), { minLength: 1, maxLength: 3 });
  return fc.dictionary(fc.constantFrom(...NAMES), ofField, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
}

const simple = fc.oneof(
  fc.integer({ min: -1, max: 7 }),
  fc.constantFrom<unknown>('', 'a', 'abc', '3', null, true, 1.5, { count: 1 }, { count: 'x' }, { more: 1 }, {}),
);
const values = fc.oneof(simple, fc.array(simple, { maxLength: 3 }));
const bodies = fc.dictionary(fc.constantFrom(...NAMES, 'unknown'), values, { noNullPrototype: true });

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

describe('whatever the rules of a class and the body are, the outcome is that of the ValidationPipe of Nest', () => {
  test.each<[string, readonly string[], ClassDecorator[]]>([
    ['where the class is flat', Object.keys(RULES), []],
    ['where it is a plain request', Object.keys(RULES), [PlainRequest()]],
    ['where it needs class-transformer', [...Object.keys(RULES), ...Object.keys(MORE)], []],
  ])('%s', async (_what, rules, decorators) => {
    await fc.assert(
      fc.asyncProperty(shapes(rules), bodies, async (shape, body) => {
        // A class without a rule is refused at start.
        fc.pre(Object.values(shape).some((names) => names.some((name) => name in RULES || name === 'nested')));
        const type = classOf(shape, ...decorators);
        // A list where one object is declared is refused here alone; the generated classes do not say what they declare.
        expect(await outcome(new RequestValidationPipe(), type, body)).toEqual(await outcome(documented, type, body));
      }),
      { numRuns: 200 },
    );
  });

  test('and a plain request is told the same as any other', async () => {
    const message = async (type: Type, body: object) => {
      try {
        await new RequestValidationPipe().transform(structuredClone(body), {
          type: 'body',
          metatype: type,
          data: undefined,
        });
        return 'valid';
      } catch (error) {
        return (error as Error).message;
      }
    };
    await fc.assert(
      fc.asyncProperty(shapes(Object.keys(RULES)), bodies, async (shape, body) => {
        expect(await message(classOf(shape, PlainRequest()), body)).toBe(await message(classOf(shape), body));
      }),
      { numRuns: 200 },
    );
  });
});
