import type { Type } from '@nestjs/common';
import { Exclude, Expose, Transform, TransformationType, Type as InstancesOf } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import { isInt64Transform } from '../validation/int64.decorator.js';
import type { Transformation, Transformations } from '../validation/transformations.js';
import { MissingPartError } from './missing-part.error.js';
import { needMethods } from './need-methods.js';

/** The file in which class-transformer stores what its decorators declare. */
const STORAGE_FILE = 'class-transformer/cjs/storage.js';

/** The declaration of `@Type`. */
interface TypeMetadata {
  /** Its parameters are the inputs on which the type depends. */
  readonly typeFunction?: (...about: unknown[]) => unknown;
  /** The declared type of the field. */
  readonly reflectedType?: unknown;
  readonly options?: { readonly discriminator?: unknown };
}

/** The methods of the storage that are called, with their results. */
interface Storage {
  readonly getStrategy: (type: Type<object>) => string;
  readonly getExposedMetadatas: (type: Type<object>) => readonly unknown[];
  readonly getExcludedMetadatas: (type: Type<object>) => readonly unknown[];
  readonly findTypeMetadata: (type: Type<object>, field: string) => TypeMetadata | undefined;
  readonly findTransformMetadatas: (
    type: Type<object>,
    field: string,
    transformation: TransformationType,
  ) => readonly { readonly transformFn: unknown; readonly options?: { readonly groups?: unknown } }[];
}

const STORAGE_METHODS = [
  'getStrategy',
  'getExposedMetadatas',
  'getExcludedMetadatas',
  'findTypeMetadata',
  'findTransformMetadatas',
] as const satisfies readonly (keyof Storage)[];

/** The methods of class-validator's storage that are called; its types do not declare them as public. */
const RULE_METHODS = ['getTargetValidationMetadatas', 'getTargetValidatorConstraints'];

/**
 * Reads the declarations of class-transformer's decorators on request classes.
 *
 * @param load imports a file of a library
 * @throws MissingPartError
 */
export async function classTransformations(
  load: (file: string) => Promise<unknown> = (file) => import(file),
): Promise<Transformations> {
  const { defaultMetadataStorage: storage } = (await load(STORAGE_FILE)) as { defaultMetadataStorage?: Storage };
  if (storage === undefined) throw new MissingPartError(`${STORAGE_FILE}: defaultMetadataStorage`);
  needMethods(storage, 'MetadataStorage of class-transformer', STORAGE_METHODS);
  needMethods(getMetadataStorage(), 'MetadataStorage of class-validator', RULE_METHODS);
  const found = transformationsIn(storage);
  for (const [decorator, isFound] of PROBES) {
    if (!isFound(found)) throw new MissingPartError(`${STORAGE_FILE}: what ${decorator} declares`);
  }
  return found;
}

function transformationsIn(storage: Storage): Transformations {
  return {
    renames: (type) =>
      storage.getStrategy(type) !== 'none' ||
      storage.getExposedMetadatas(type).length > 0 ||
      storage.getExcludedMetadatas(type).length > 0,
    ofField: (type, field) => {
      const transforms = storage.findTransformMetadatas(type, field, TransformationType.PLAIN_TO_CLASS);
      const typed = storage.findTypeMetadata(type, field);
      if (typed !== undefined) return transforms.length === 0 ? ofTyped(typed) : 'other';
      if (transforms.length > 1) return 'other';
      const [transform] = transforms;
      if (transform === undefined) return 'none';
      return isInt64Transform(transform.transformFn) ? 'to int64' : 'other';
    },
  };
}

function ofTyped({ typeFunction, reflectedType, options }: TypeMetadata): Transformation {
  if (typeFunction?.length !== 0 || options?.discriminator !== undefined || reflectedType === Map) return 'other';
  return { typeOf: () => typeFunction(), takesLists: reflectedType === Array };
}

class Plain {
  readonly any: unknown;
}

@Exclude()
class Excluded {
  readonly any: unknown;
}

class Decorated {
  @InstancesOf(() => Plain)
  readonly typed: unknown;

  @Transform(({ value }: { value: unknown }) => value)
  readonly transformed: unknown;
}

class Exposed {
  @Expose({ name: 'other' })
  readonly exposed: unknown;
}

class PartlyExcluded {
  @Exclude()
  readonly excluded: unknown;
}

/**
 * Checks that this is the storage that the decorators fill. In another storage, every class would seem to have no
 * decorators.
 */
const PROBES: readonly (readonly [string, (found: Transformations) => boolean])[] = [
  [
    '@Type',
    ({ ofField }) => {
      const typed = ofField(Decorated, 'typed');
      return typeof typed === 'object' && !typed.takesLists && typed.typeOf() === Plain;
    },
  ],
  ['@Transform', ({ ofField }) => ofField(Decorated, 'transformed') === 'other'],
  ['@Expose', ({ renames }) => renames(Exposed)],
  ['@Exclude', ({ renames }) => renames(PartlyExcluded) && renames(Excluded)],
  ['no decorator', ({ renames, ofField }) => !renames(Decorated) && ofField(Plain, 'any') === 'none'],
];
