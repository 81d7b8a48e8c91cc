import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ApiExtension, getSchemaPath, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { BASE_ERROR_CODES, ErrorCodes, type BaseErrorCode, type ErrorCodeEntry } from '../errors/error-codes.js';
import { ErrorResponse } from '../errors/error-response.js';
import { stringifyExactJson } from '../json/exact-json.js';
import { MAX_LIMIT } from '../pages/page-request.js';
import { declaredRoutes } from '../routes/route-metadata.js';
import { DEPRECATION, type Deprecation } from '../routes/deprecation.js';
import { DEFAULT_CHALLENGE } from '../responses/error.filter.js';
import { CODES, GROUP, SECURITY_SCHEMES, type OperationGroup, LIST, type List } from './api.decorators.js';
import { documentedHeaders, headersOf, type DocumentedResponse, type HeaderName } from './documented-headers.js';

export interface DocumentOptions {
  /** The metadata key of handlers and controllers that need no API key. */
  readonly publicRoute: string;
  /** The metadata key of the scopes that a handler requires. */
  readonly routeScopes: string;
  /** The name of the security scheme of API keys. */
  readonly keyScheme: string;
  /** The address of a collection, such as `/v1/pets`, for the examples of header fields. */
  readonly collection: string;
}

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;
type Components = NonNullable<OpenAPIObject['components']>;
type Schema = Exclude<NonNullable<Components['schemas']>[string], { $ref: string }>;
type Entries = readonly (readonly [code: string, entry: ErrorCodeEntry])[];

/** The method that handles an operation, and its class: they carry the metadata of decorators. */
interface Handler {
  readonly handler: object;
  readonly controller: object;
}

/** The extension that leads from an operation of the document to its handler, until the document is complete. */
const HANDLER = 'x-handler';

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace'] as const;

/**
 * Makes the OpenAPI document from the controllers, with everything that modules get without asking: security, pages,
 * conditional requests, header fields, errors, deprecations, and bodies without unknown members.
 *
 * @param config as Swagger's `DocumentBuilder` makes it; its tags are listed after the groups that have operations
 * @throws Error if an operation names an error code that no module registers
 */
export function createDocument(
  app: INestApplication,
  config: Omit<OpenAPIObject, 'paths'>,
  options: DocumentOptions,
): OpenAPIObject {
  for (const { controller, name, handler } of declaredRoutes(app.get(ModulesContainer, { strict: false }))) {
    const value: Handler = { handler, controller };
    ApiExtension(HANDLER, value)(controller.prototype as object, name, { value: handler });
  }
  const document = SwaggerModule.createDocument(app, config, {
    extraModels: [ErrorResponse],
    // The default for the `list` of an OrdersController is listOrders.
    operationIdFactory: (controller, method) => `${method}${controller.replace(/Controller$/, '')}`,
  });
  const registered = app.get(ErrorCodes, { strict: false });
  const codes = registered.all();
  const groups = new Map<string, OperationGroup>();
  const components = (document.components ??= {});
  for (const [method, operation] of operationsOf(document)) {
    const { handler, controller } = takeHandler(operation);
    const group = Reflect.getMetadata(GROUP, controller) as OperationGroup | undefined;
    for (const name of operation.tags ?? []) if (!groups.has(name)) groups.set(name, { name });
    if (group !== undefined) groups.set(group.name, group);
    const scopes = (Reflect.getMetadata(options.routeScopes, handler) ?? []) as string[];
    const isPublic =
      scopes.length === 0 &&
      [handler, controller].some((target) => Reflect.getMetadata(options.publicRoute, target) === true);
    for (const target of [controller, handler])
      Object.assign((components.securitySchemes ??= {}), Reflect.getMetadata(SECURITY_SCHEMES, target));
    describeSecurity(operation, options.keyScheme, isPublic);
    describeScopes(operation, scopes);
    describeList(components, Reflect.getMetadata(LIST, handler) as List | undefined);
    describeFields(operation, isPublic);
    closeBody(components, operation);
    const declared = (Reflect.getMetadata(CODES, handler) ?? []) as string[];
    const unknown = declared.find((code) => registered.find(code) === undefined);
    if (unknown !== undefined)
      throw new Error(`@ApiErrors of ${operation.operationId ?? method} names "${unknown}", which no module registers`);
    const possible = possibleCodes(operation, isPublic, scopes.length > 0 ? [...declared, 'forbidden'] : declared);
    describeErrors(
      components,
      operation,
      codes.filter(([code]) => possible.includes(code)),
    );
    describeDeprecation(operation, Reflect.getMetadata(DEPRECATION, handler) as Deprecation | undefined);
    if (method === 'get') describeConditionalRequest(operation);
  }
  const code = schemaAt(components, getSchemaPath(ErrorResponse))?.properties?.['code'];
  if (code !== undefined && !('$ref' in code)) code.description = describedCodes(codes);
  const used = stringifyExactJson(document);
  components.headers = Object.fromEntries(
    Object.entries(documentedHeaders(options.collection, app.get<string>(DEFAULT_CHALLENGE, { strict: false }))).filter(
      ([name]) => used.includes(`"#/components/headers/${name}"`),
    ),
  );
  document.tags = [...groups.values(), ...(config.tags ?? []).filter(({ name }) => !groups.has(name))];
  return document;
}

/** The operations of a document, in its order. Removes those of `@All()` whose methods OpenAPI 3.0 does not know. */
function operationsOf({ paths }: OpenAPIObject): (readonly [method: string, operation: Operation])[] {
  return Object.values(paths).flatMap((item) => {
    for (const method of ['search', 'query']) Reflect.deleteProperty(item, method);
    return METHODS.flatMap((method) => (item[method] === undefined ? [] : [[method, item[method]] as const]));
  });
}

/** Removes the handler from an operation, and returns it: it is not a part of the document. */
function takeHandler(operation: Operation): Handler {
  const { [HANDLER]: handler } = operation as Operation & { [HANDLER]: Handler };
  Reflect.deleteProperty(operation, HANDLER);
  return handler;
}

/** The schema of a component to which a reference leads, as in `#/components/schemas/Pet`. */
function schemaAt({ schemas = {} }: Components, reference: string): Schema | undefined {
  return schemas[reference.slice(reference.lastIndexOf('/') + 1)] as Schema | undefined;
}

/** The responses that the controller describes: the others are references to a shared one. */
function ownResponses({ responses }: Operation): [status: string, response: DocumentedResponse][] {
  return Object.entries(responses).flatMap(([status, response]): [string, DocumentedResponse][] =>
    response === undefined || '$ref' in response ? [] : [[status, response]],
  );
}

/** An operation needs the API key unless it is public, and everything that its decorators declare besides. */
function describeSecurity(operation: Operation, keyScheme: string, isPublic: boolean): void {
  const { security = [] } = operation;
  const declared = security.filter((requirement) => !Object.hasOwn(requirement, keyScheme));
  if (!isPublic) {
    const key = { [keyScheme]: [] };
    operation.security = declared.length === 0 ? [key] : declared.map((requirement) => ({ ...key, ...requirement }));
  } else if (declared.length > 0) operation.security = declared;
  else delete operation.security;
}

/** OpenAPI 3.0 has no place for the scopes of an API key, so they are in the description and in an extension. */
function describeScopes(operation: Operation & { 'x-required-scopes'?: string[] }, scopes: string[]): void {
  if (scopes.length === 0) return;
  const names = scopes.map((scope) => `\`${scope}\``).join(' and ');
  const sentence = `Requires the scope${scopes.length > 1 ? 's' : ''} ${names} if the API key has a list of scopes.`;
  operation.description = [operation.description, sentence].filter(Boolean).join('\n\n');
  operation['x-required-scopes'] = scopes;
}

/** Adds the schema of the pages of a list. */
function describeList(components: Components, list: List | undefined): void {
  if (list === undefined) return;
  const { schema, description, item } = list;
  (components.schemas ??= {})[schema] = {
    type: 'array',
    description,
    minItems: 0,
    maxItems: MAX_LIMIT,
    items: { $ref: item },
  };
}

/** Every 200 in JSON has an entity tag, and `If-None-Match` is honoured. The 304 has the header fields of the 200. */
function describeConditionalRequest(operation: Operation): void {
  const found = ownResponses(operation).find(([status, response]) => status === '200' && isJson(response));
  if (found === undefined) return;
  const [, { headers = {} }] = found;
  operation.responses['304'] ??= {
    description: 'The copy that the client has is current. The response has no body.',
    headers: { ...headers },
  };
  operation.parameters = [
    ...(operation.parameters ?? []),
    {
      name: 'If-None-Match',
      in: 'header',
      description: 'The entity tags of the copies that the client has. If one of them is current, the response is 304.',
      required: false,
      schema: { type: 'string' },
    },
  ];
}

/** Adds the header fields that every response has to the responses that the controller describes. */
function describeFields(operation: Operation, isPublic: boolean): void {
  const counted: readonly HeaderName[] = isPublic ? [] : ['RateLimit-Policy', 'RateLimit'];
  for (const [status, response] of ownResponses(operation)) {
    const tag: readonly HeaderName[] = status.startsWith('2') && isJson(response) ? ['ETag'] : [];
    response.headers = { ...headersOf('X-Request-Id', ...counted, ...tag), ...response.headers };
  }
}

function isJson({ content = {} }: DocumentedResponse): boolean {
  return content['application/json'] !== undefined;
}

/** Unknown members of a body are refused, also those of the objects nested in it. */
function closeBody(components: Components, { requestBody }: Operation): void {
  if (requestBody === undefined || '$ref' in requestBody) return;
  closeSchemas(components, requestBody.content['application/json']);
}

function closeSchemas(components: Components, part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [name, value] of Object.entries(part)) {
    const schema = name === '$ref' && typeof value === 'string' ? schemaAt(components, value) : undefined;
    if (schema === undefined) closeSchemas(components, value);
    if (schema?.type !== 'object' || schema.additionalProperties !== undefined) continue;
    schema.additionalProperties = false;
    closeSchemas(components, schema.properties);
  }
}

/** Marks an operation with `@Deprecated`, and adds its header fields to its successful responses. */
function describeDeprecation(operation: Operation, deprecation: Deprecation | undefined): void {
  if (deprecation === undefined) return;
  operation.deprecated = true;
  const names = (['Deprecation', 'Sunset', 'Link'] as const)
    .filter((field) => deprecation.fields.includes(field))
    .map((field) => (field === 'Link' ? 'SuccessorLink' : field));
  for (const [, response] of ownResponses(operation)) {
    response.headers = { ...headersOf(...names), ...response.headers };
  }
  if (deprecation.sunset === undefined) return;
  const date = new Date(deprecation.sunset * 1000).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  operation.description = `Deprecated: it will be removed on ${date}. ${operation.description ?? ''}`.trim();
}

/** The errors of every operation. */
const ALWAYS_POSSIBLE: readonly BaseErrorCode[] = [
  'invalid_request',
  'request_timeout',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
];

/** The errors of an operation that takes a body. */
const POSSIBLE_WITH_BODY: readonly BaseErrorCode[] = ['payload_too_large', 'unsupported_media_type'];

const HEADERS_OF_ERROR: Readonly<Record<string, readonly HeaderName[]>> = {
  unauthorized: ['WWW-Authenticate'],
  unsupported_media_type: ['Accept-Post', 'Accept-Encoding'],
  rate_limited: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
  service_unavailable: ['Retry-After'],
};

function possibleCodes({ security, requestBody }: Operation, isPublic: boolean, declared: readonly string[]): string[] {
  return [
    ...ALWAYS_POSSIBLE,
    ...(security === undefined ? [] : ['unauthorized']),
    ...(isPublic ? [] : ['rate_limited']),
    ...(requestBody === undefined ? [] : POSSIBLE_WITH_BODY),
    ...declared,
  ];
}

/**
 * Adds the errors to an operation: for each status a reference to one response under `components`, which is named after
 * its codes.
 */
function describeErrors(components: Components, { responses }: Operation, entries: Entries): void {
  for (const status of new Set(entries.map(([, entry]) => entry.status))) {
    const ofStatus = entries.filter(([, entry]) => entry.status === status);
    const name = ofStatus.map(([code]) => pascalCase(code)).join('Or');
    responses[status] ??= { $ref: `#/components/responses/${name}` };
    (components.responses ??= {})[name] ??= errorResponse(ofStatus);
  }
}

function errorResponse(entries: Entries): DocumentedResponse {
  const [example] = entries.map(([code, { status, example, meaning }]) => ({
    code,
    message: example ?? meaning.replaceAll('`', ''),
    status,
  }));
  return {
    description: entries.map(([, { meaning }]) => meaning).join(' '),
    headers: headersOf('X-Request-Id', ...entries.flatMap(([code]) => HEADERS_OF_ERROR[code] ?? [])),
    content: { 'application/json': { schema: { $ref: getSchemaPath(ErrorResponse) }, example } },
  };
}

/**
 * In words: an enum would make generated clients throw on a new code. The guide explains the codes that every application
 * has; only the document explains those of modules.
 */
function describedCodes(entries: Entries): string {
  const known = entries.filter(([code]) => Object.hasOwn(BASE_ERROR_CODES, code));
  const added = entries.filter((entry) => !known.includes(entry));
  return [
    'What went wrong, for programs. New codes may be added: if you do not know a code, use `status`.',
    `The codes today: ${known.map(([code, { status }]) => `\`${code}\` (${status})`).join(', ')}.`,
    added.map(([code, { status, meaning }]) => `- \`${code}\` (${status}): ${meaning}`).join('\n'),
  ]
    .join('\n\n')
    .trimEnd();
}

function pascalCase(code: string): string {
  return code.replaceAll(/(?:^|_)(?<letter>[a-z])/g, (_, letter: string) => letter.toUpperCase());
}
