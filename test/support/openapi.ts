/** The parts of an OpenAPI document that the tests read. */
export interface OpenApiDocument {
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, DescribedResponse>>;
    readonly headers?: Readonly<Record<string, DescribedHeader>>;
    readonly securitySchemes?: Readonly<Record<string, unknown>>;
  };
}

export interface Operation {
  readonly operationId: string;
  readonly security: readonly unknown[];
  readonly parameters: readonly { readonly name: string }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Reference | DescribedResponse>>;
}

interface Reference {
  readonly $ref: string;
}

interface DescribedResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference | DescribedHeader>>;
  readonly content?: Content;
}

interface DescribedHeader {
  readonly required?: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly example?: unknown;
}

/** The description of a response, inline or by a reference. */
export function describedResponse({ components }: OpenApiDocument, operation: Operation, status: string | number) {
  const answer = operation.responses[status];
  if (answer === undefined) throw new Error(`The document does not describe ${status} of ${operation.operationId}`);
  return resolveIn(components.responses, answer);
}

/** The descriptions of the header fields of a response, with their names. */
export function headersOf(document: OpenApiDocument, { headers = {} }: DescribedResponse): [string, DescribedHeader][] {
  return Object.entries(headers).map(([name, header]) => [name, resolveIn(document.components.headers, header)]);
}

function resolveIn<Part extends object>(parts: Readonly<Record<string, Part>> = {}, part: Part | Reference): Part {
  if (!('$ref' in part)) return part;
  const found = parts[part.$ref.slice(part.$ref.lastIndexOf('/') + 1)];
  if (found === undefined) throw new Error(`${part.$ref} is not in the document`);
  return found;
}

function resolve(document: OpenApiDocument, schema: Schema): Schema {
  const named = schema.$ref === undefined ? schema : resolveIn(document.components.schemas, schema as Reference);
  const parts = (named.allOf ?? []).map((part) => resolve(document, part));
  return Object.assign({}, ...parts, named, schema) as Schema;
}

/** The violations of the schema by `value`, for the keywords of JSON Schema that the document uses; may be empty. */
export function schemaFaults(document: OpenApiDocument, schema: Schema, value: unknown, at = 'the body'): string[] {
  const { type, required = [], properties = {}, items, enum: allowed } = resolve(document, schema);
  if (allowed !== undefined && !allowed.includes(value)) return [`${at} is none of ${allowed.join(', ')}`];
  if (type !== undefined && typeOf(value) !== type) return [`${at} is no ${type}`];
  if (Array.isArray(value))
    return value.flatMap((item, index) => schemaFaults(document, items ?? {}, item, `${at}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return [
    ...required.filter((name) => !(name in value)).map((name) => `${at} lacks ${name}`),
    ...Object.entries(value).flatMap(([name, member]) => {
      const property = properties[name];
      if (property === undefined) return [`${at} has ${name}, which is not described`];
      return schemaFaults(document, property, member, `${at}.${name}`);
    }),
  ];
}

/** The example that the document shows for a schema, composed in the same way as by Swagger UI. */
export function exampleOf(document: OpenApiDocument, schema: Schema): unknown {
  const { example, properties = {}, items } = resolve(document, schema);
  if (example !== undefined) return example;
  if (items !== undefined) return [exampleOf(document, items)];
  const members = Object.entries(properties).map(([name, property]) => [name, exampleOf(document, property)] as const);
  return Object.fromEntries(members);
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Header fields of HTTP itself, and those that never change, which are described once, in prose. */
const NOT_LISTED = new Set(
  'cache-control vary content-security-policy strict-transport-security x-content-type-options connection content-length content-type date keep-alive'.split(
    ' ',
  ),
);

/**
 * The differences between the status and header fields of a response and the document; empty if there are none. A field
 * that several responses share may be described by its component alone.
 */
export function responseFaults(
  document: OpenApiDocument,
  operation: Operation,
  { status, headers }: Response,
): string[] {
  const at = `${operation.operationId} ${status}`;
  if (!(status in operation.responses)) return [`${at} is not described`];
  const described = headersOf(document, describedResponse(document, operation, status));
  const names = [...described.map(([name]) => name), ...Object.keys(document.components.headers ?? {})];
  const known = new Set([...NOT_LISTED, ...names.map((name) => name.toLowerCase())]);
  return [
    ...[...headers.keys()].filter((name) => !known.has(name)).map((name) => `${at} carries ${name}, not described`),
    ...described.flatMap(([name, { required = false, schema }]) => {
      const value = headers.get(name);
      if (value === null) return required ? [`${at} lacks ${name}`] : [];
      const { enum: allowed = [value], pattern = '', type } = schema;
      const isAsDescribed = allowed.map(String).includes(value) && new RegExp(pattern, 'u').test(value);
      return isAsDescribed && (type !== 'integer' || /^[0-9]+$/.test(value)) ? [] : [`${at}: ${name}: ${value}`];
    }),
  ];
}
