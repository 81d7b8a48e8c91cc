import type { Type } from '@nestjs/common';

/** An object becomes an instance, and a list of objects becomes a list of instances. */
export interface ToInstance {
  readonly typeOf: () => unknown;
  /** Lists become plain arrays. */
  readonly takesLists: boolean;
}

/** What class-transformer does with the value of a field when it creates an instance. */
export type Transformation = 'none' | 'to int64' | ToInstance | 'other';

/** The declarations of class-transformer's decorators, read from its private storage. */
export interface Transformations {
  /** Whether the class itself, and not one of its fields, excludes or renames members. */
  renames: (type: Type<object>) => boolean;
  ofField: (type: Type<object>, field: string) => Transformation;
}
