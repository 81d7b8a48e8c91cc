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
