import type { Type } from '@nestjs/common';

/** The resource of a module, as the OpenAPI document describes it. */
export interface ResourceOptions {
  /** The noun in the names of operations: `Pet` for `getPet`. */
  readonly name: string;
  /** The plural in the names of operations and of the page's schema, as in `listPets`. By default the noun with an `s`. */
  readonly plural?: string;
  /** The noun in a sentence: `pet`. */
  readonly one: string;
  /** The plural in a sentence. */
  readonly many?: string;
  /** The address of the collection, as in `/v1/pets`. */
  readonly path: string;
  /** The class of the resource in requests and responses. */
  readonly type: Type;
  /** The example of responses. Members that it omits have the `example` of the class. */
  readonly example: Example;
  /** Further examples in a list, by ascending id. Examples with an id beyond 2^53 are shown in a separate page. */
  readonly moreExamples?: readonly Example[];
}

/** An id beyond 2^53 is a `bigint`. */
export type Example = Readonly<Record<string, unknown>> & { readonly id: number | bigint };

/** The properties of one operation, besides those of all operations of its kind. */
export interface OperationOptions {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  /** The error codes besides those of all operations of its kind. */
  readonly errors?: readonly string[];
  /** The messages of errors by code, if they differ from those of other operations of its kind. */
  readonly messages?: Readonly<Record<string, string>>;
}

export interface CreateOptions extends OperationOptions {
  /** What the operation does, at the end of a sentence: `added` by default. */
  readonly done?: string;
  /** Whether it accepts an `Idempotency-Key`. */
  readonly idempotent?: boolean;
}
