/** The parts of an OpenAPI document that the tests read. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
    readonly responses?: Readonly<Record<string, DescribedResponse>>;
    readonly headers?: Readonly<Record<string, DescribedHeader>>;
  };
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly security: readonly unknown[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Reference | DescribedResponse>>;
}

interface Reference {
  readonly $ref: string;
}

export interface DescribedResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference | DescribedHeader>>;
  readonly content?: Content;
}

export interface DescribedHeader {
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: string | number;
}

type Content = Readonly<Record<string, DescribedContent>>;

interface DescribedContent {
  readonly schema: Schema;
  readonly example?: unknown;
}

/** The description of a response, inline or by a reference. */
export function describedResponse(
  document: OpenApiDocument,
  { operationId, responses }: Operation,
  status: string | number,
) {
  const answer = responses[status];
  if (answer === undefined) throw new Error(`The document does not describe ${status} of ${operationId}`);
  return resolveIn(document.components.responses, answer);
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

export interface Schema {
  readonly description?: string;
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly additionalProperties?: unknown;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
  readonly example?: unknown;
}

/** The violations of the schema by `value`, for the keywords of JSON Schema that the document uses; may be empty. */
export function schemaFaults(document: OpenApiDocument, schema: Schema, value: unknown, at = 'the body'): string[] {
  const { type, required = [], properties = {}, items, enum: allowed } = resolve(document, schema);
  if (allowed !== undefined && !allowed.includes(value)) return [`${at} is none of ${allowed.join(', ')}`];
  if (!hasType(type, value)) return [`${at} is no ${type ?? ''}`];
  if (Array.isArray(value)) {
    return items === undefined
      ? []
      : value.flatMap((item, index) => schemaFaults(document, items, item, `${at}[${index}]`));
  }
  if (typeof value !== 'object' || value === null) return [];
  const names = Object.keys(value);
  return [
    ...required.filter((name) => !names.includes(name)).map((name) => `${at} lacks ${name}`),
    ...names.filter((name) => !(name in properties)).map((name) => `${at} has ${name}, which is not described`),
    ...Object.entries(properties)
      .filter(([name]) => names.includes(name))
      .flatMap(([name, property]) => schemaFaults(document, property, Reflect.get(value, name), `${at}.${name}`)),
  ];
}

/** The example that the document shows for a schema, composed in the same way as by Swagger UI. */
export function exampleOf(document: OpenApiDocument, schema: Schema): unknown {
  const { example, properties, items } = resolve(document, schema);
  if (example !== undefined) return example;
  if (items !== undefined) return [exampleOf(document, items)];
  return Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, property]) => [name, exampleOf(document, property)]),
  );
}

function resolve(document: OpenApiDocument, schema: Schema): Schema {
  const named =
    schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.slice('#/components/schemas/'.length)];
  if (named === undefined) throw new Error(`${schema.$ref ?? ''} is not in the document`);
  const parts = (named.allOf ?? []).map((part) => resolve(document, part));
  return Object.assign({}, ...parts, named, schema) as Schema;
}

function hasType(type: string | undefined, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case undefined:
      return true;
    default:
      return typeof value === type;
  }
}

/** The header fields that never change. They are described once, in prose, for all responses. */
const FIXED_FIELDS = [
  'Cache-Control',
  'Vary',
  'Content-Security-Policy',
  'Cross-Origin-Resource-Policy',
  'Referrer-Policy',
  'Strict-Transport-Security',
  'X-Content-Type-Options',
  'X-Frame-Options',
];

/** The header fields of HTTP itself. OpenAPI excludes `Content-Type` from descriptions in the same way. */
const FIELDS_OF_HTTP = ['Connection', 'Content-Length', 'Content-Type', 'Date', 'Keep-Alive'];

const NOT_LISTED = new Set([...FIXED_FIELDS, ...FIELDS_OF_HTTP].map((name) => name.toLowerCase()));

/** The part of a response that is compared with its description. */
export interface SentResponse {
  readonly status: number;
  readonly headers: Headers;
}

/** The header fields of a response that a description must list, in lower case. */
function listedFields({ headers }: SentResponse): string[] {
  return [...headers.keys()].filter((name) => !NOT_LISTED.has(name));
}

/**
 * The differences between the status and header fields of a response and the document; empty if there are none. A field
 * that several responses share may be described by its component alone.
 */
export function responseFaults(document: OpenApiDocument, operation: Operation, answer: SentResponse): string[] {
  const { status, headers } = answer;
  const at = `${operation.operationId} ${status}`;
  if (!(status in operation.responses)) return [`${at} is not described`];
  const described = headersOf(document, describedResponse(document, operation, status));
  const shared = Object.keys(document.components.headers ?? {});
  const names = new Set([...described.map(([name]) => name), ...shared].map((name) => name.toLowerCase()));
  return [
    ...listedFields(answer)
      .filter((name) => !names.has(name))
      .map((name) => `${at} carries ${name}, which is not described`),
    ...described.flatMap(([name, header]) => {
      const value = headers.get(name);
      if (value === null) return header.required === true ? [`${at} lacks ${name}`] : [];
      return obeys(header, value) ? [] : [`${at} carries ${name}: ${value}, which is not as described`];
    }),
  ];
}

/** Whether the description allows this value, as it is on the wire. */
function obeys({ schema }: DescribedHeader, value: string): boolean {
  const { type, enum: allowed, pattern, minimum } = schema satisfies Schema;
  if (allowed !== undefined && !allowed.map(String).includes(value)) return false;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return false;
  return type !== 'integer' || (/^[0-9]+$/.test(value) && Number(value) >= (minimum ?? 0));
}
