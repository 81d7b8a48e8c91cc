import type { Type } from '@nestjs/common';

/** An object becomes an instance, and a list of objects one of instances. */
export interface ToInstance {
  readonly typeOf: () => unknown;
  /** Lists become plain arrays. */
  readonly takesLists: boolean;
}

/** What class-transformer does with the value of a field where an instance is made of it. */
export type Transformation = 'none' | 'to int64' | ToInstance | 'other';

/** What the decorators of class-transformer declared, read where class-transformer keeps it to itself. */
export interface Transformations {
  /** Whether the class, and not a field of it, leaves members out or gives them other names. */
  renames: (type: Type<object>) => boolean;
  ofField: (type: Type<object>, field: string) => Transformation;
}
