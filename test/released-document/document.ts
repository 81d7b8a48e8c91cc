/** The parts of an OpenAPI document that are compared between two versions. Shared parts are reached through `$ref`. */
export interface Document {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components?: object;
}

export type PathItem = Partial<Record<Method, Operation>> & {
  readonly parameters?: readonly (Parameter | Reference)[];
};

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
export type Method = (typeof METHODS)[number];

export interface Operation {
  readonly operationId?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody | Reference;
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

export interface RequestBody {
  readonly required?: boolean;
  readonly content: Content;
}

export interface Response {
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Content;
}

export interface Header {
  readonly required?: boolean;
  readonly schema?: Schema;
}

export type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

export interface Reference {
  readonly $ref: string;
}

export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string | undefined;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[] | undefined;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
}

/** The target of a reference, or the object itself. @throws Error if the document does not have the target */
export function resolve<Thing extends object>(document: Document, thing: Thing | Reference): Thing {
  if (!('$ref' in thing) || typeof thing.$ref !== 'string') return thing as Thing;
  const found = thing.$ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((place, name) => Reflect.get(Object(place) as object, name), document);
  if (typeof found !== 'object' || found === null) throw new Error(`${thing.$ref} is not in the document`);
  return resolve(document, found as Thing);
}

/** Combines the parts of a schema with `$ref` and `allOf` into one schema. */
export function resolveSchema(document: Document, schema: Schema): Schema {
  const named = resolve<Schema>(document, schema);
  const parts = (named.allOf ?? []).map((part) => resolveSchema(document, part));
  return Object.assign({}, ...parts, named) as Schema;
}
