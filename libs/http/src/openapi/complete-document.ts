import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { BASE_ERROR_CODES, type BaseErrorCode, type ErrorCodeEntry, type ErrorCodes } from '../errors/error-codes.js';
import { ErrorResponse } from '../errors/error-response.js';
import { MAX_LIMIT } from '../pages/page-request.js';
import type { Deprecation } from '../requests/exchange.js';
import type { ModuleHeaders } from '../responses/module-headers.js';
import { DEPRECATION_EXTENSION } from '../routes/deprecation.js';
import { ERRORS_EXTENSION, GROUP_EXTENSION, LIST_EXTENSION, type List, type OperationGroup } from './api.decorators.js';
import { documentedHeaders, headersOf, type DocumentedResponse, type HeaderName } from './documented-headers.js';

export interface DocumentOptions {
  /** The codes of all errors. */
  readonly codes: ErrorCodes;
  /** The name of the security scheme of API keys. */
  readonly keyScheme: string;
  /** The extension of operations that need no API key. */
  readonly publicExtension: string;
  /** The extension of operations with the scopes that they require. */
  readonly scopesExtension: string;
  /** The address of a collection, such as `/v1/pets`, for the examples of header fields. */
  readonly collection: string;
  /** The header fields that modules add to every response. */
  readonly moduleHeaders: ModuleHeaders;
  /** The value of `WWW-Authenticate` in a 401. */
  readonly challenge: string;
}

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;
type Components = NonNullable<OpenAPIObject['components']>;
type Schema = Exclude<NonNullable<Components['schemas']>[string], { $ref: string }>;
type Entries = readonly (readonly [code: string, entry: ErrorCodeEntry])[];

/** What decorators leave at an operation, until the document is complete. */
interface Declared {
  readonly isPublic: boolean;
  readonly scopes: readonly string[];
  readonly errors: readonly string[];
  readonly list: List | undefined;
  readonly group: OperationGroup | undefined;
  readonly deprecation: Deprecation | undefined;
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace'] as const;

/**
 * Completes a document that Swagger made from the controllers, with everything that modules get without asking: security,
 * pages, conditional requests, header fields, errors, deprecations, and bodies without unknown members.
 *
 * @throws Error if an operation names an error code that no module registers
 */
export function completeDocument(document: OpenAPIObject, options: DocumentOptions): OpenAPIObject {
  const codes = options.codes.all();
  const groups = new Map<string, OperationGroup>();
  const components = (document.components ??= {});
  for (const { path, method, operation } of operationsOf(document)) {
    dropStrayParameters(operation, path);
    const declared = takeDeclared(operation, options);
    for (const name of operation.tags ?? []) if (!groups.has(name)) groups.set(name, { name });
    if (declared.group !== undefined) groups.set(declared.group.name, declared.group);
    describeSecurity(operation, options.keyScheme, declared.isPublic);
    describeScopes(operation, declared.scopes);
    describeList(components, declared.list);
    describeFields(operation, declared.isPublic);
    closeBody(components, operation);
    describeErrors(components, operation, possibleErrors(operation, declared, codes));
    if (declared.isPublic) describeOwnUnauthorized(components, operation);
    describeDeprecation(operation, declared.deprecation);
    if (method === 'get') describeConditionalRequest(operation);
    describeModuleHeaders(operation, options.moduleHeaders);
  }
  const code = schemaAt(components, getSchemaPath(ErrorResponse))?.properties?.['code'];
  if (code !== undefined && !('$ref' in code)) code.description = describedCodes(codes);
  const used = JSON.stringify(document);
  const headers = {
    ...documentedHeaders(options.collection, options.challenge),
    ...Object.fromEntries(options.moduleHeaders),
  };
  components.headers = Object.fromEntries(
    Object.entries(headers).filter(([name]) => used.includes(`"#/components/headers/${name}"`)),
  );
  const others = (document.tags ?? []).filter(({ name }) => !groups.has(name));
  document.tags = [...groups.values(), ...others];
  return document;
}

/** `ApiResource.change` and its kin describe the id of an item, also on a route whose path has none: that would be no valid document. */
function dropStrayParameters(operation: Operation, path: string): void {
  operation.parameters = operation.parameters?.filter(
    (parameter) => '$ref' in parameter || parameter.in !== 'path' || path.includes(`{${parameter.name}}`),
  );
}

/** The operations of a document, in its order. Removes those of `@All()` whose methods OpenAPI 3.0 does not know. */
function operationsOf({ paths }: OpenAPIObject): { path: string; method: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, item]) => {
    for (const method of ['search', 'query']) Reflect.deleteProperty(item, method);
    return METHODS.flatMap((method) => (item[method] === undefined ? [] : [{ path, method, operation: item[method] }]));
  });
}

/** Removes what decorators left at an operation, except for the scopes, and returns it. */
function takeDeclared(operation: Operation, { publicExtension, scopesExtension }: DocumentOptions): Declared {
  const extensions = operation as unknown as Record<string, unknown>;
  const take = (name: string) => {
    const { [name]: value } = extensions;
    Reflect.deleteProperty(extensions, name);
    return value;
  };
  const scopes = (extensions[scopesExtension] ?? []) as string[];
  return {
    isPublic: take(publicExtension) === true && scopes.length === 0,
    scopes,
    errors: (take(ERRORS_EXTENSION) ?? []) as string[],
    list: take(LIST_EXTENSION) as List | undefined,
    group: take(GROUP_EXTENSION) as OperationGroup | undefined,
    deprecation: take(DEPRECATION_EXTENSION) as Deprecation | undefined,
  };
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

/**
 * An operation needs the API key unless it is public, and everything that its decorators declare besides. An empty list says that it
 * needs nothing.
 */
function describeSecurity(operation: Operation, keyScheme: string, isPublic: boolean): void {
  const { security = [] } = operation;
  const declared = security.filter((requirement) => !Object.hasOwn(requirement, keyScheme));
  if (!isPublic) {
    const key = { [keyScheme]: [] };
    operation.security = declared.length === 0 ? [key] : declared.map((requirement) => ({ ...key, ...requirement }));
  } else operation.security = declared;
}

/** OpenAPI 3.0 has no place for the scopes of an API key, so they are in the description and in an extension. */
function describeScopes(operation: Operation, scopes: readonly string[]): void {
  if (scopes.length === 0) return;
  const names = scopes.map((scope) => `\`${scope}\``).join(' and ');
  const sentence = `Requires the scope${scopes.length > 1 ? 's' : ''} ${names} if the API key has a list of scopes.`;
  operation.description = [operation.description, sentence].filter(Boolean).join('\n\n');
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
      example: '"xGbkXqRWfN0RzXvhW2nJ_3XbE9c"',
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

/** Interceptors of modules run for every operation, and not before a guard that refuses the request. */
function describeModuleHeaders(operation: Operation, moduleHeaders: ModuleHeaders): void {
  const references = [...moduleHeaders.keys()].map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  const added = Object.fromEntries(references) as DocumentedResponse['headers'];
  for (const [, response] of ownResponses(operation)) response.headers = { ...response.headers, ...added };
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

function possibleErrors(operation: Operation, { isPublic, scopes, errors }: Declared, codes: Entries): Entries {
  const { requestBody, operationId = '' } = operation;
  const unknown = errors.find((code) => !codes.some(([known]) => known === code));
  if (unknown !== undefined)
    throw new Error(`@ApiErrors of ${operationId} names "${unknown}", which no module registers`);
  const possible: readonly string[] = [
    ...ALWAYS_POSSIBLE,
    ...(isPublic ? [] : ['unauthorized', 'rate_limited']),
    ...(requestBody === undefined ? [] : POSSIBLE_WITH_BODY),
    ...(scopes.length === 0 ? [] : ['forbidden']),
    ...errors,
  ];
  return codes.filter(([code]) => possible.includes(code));
}

/**
 * Adds the errors to an operation: for each status a reference to one response under `components`, which is named after
 * its codes. A response that the controller describes stays.
 */
function describeErrors(components: Components, { responses }: Operation, entries: Entries): void {
  for (const status of new Set(entries.map(([, entry]) => entry.status))) {
    if (responses[status] !== undefined) continue;
    const ofStatus = entries.filter(([, entry]) => entry.status === status);
    const name = ofStatus.map(([code]) => pascalCase(code)).join('Or');
    responses[status] = { $ref: `#/components/responses/${name}` };
    (components.responses ??= {})[name] ??= errorResponse(ofStatus);
  }
}

/** The 401 of an operation with a way of its own to authenticate: it has no challenge of the API key. */
function describeOwnUnauthorized(components: Components, { responses, security = [] }: Operation): void {
  if (security.length === 0 || responses['401'] !== undefined) return;
  responses['401'] = { $ref: '#/components/responses/OwnUnauthorized' };
  const description = 'The credentials are missing or invalid.';
  const example = { code: 'unauthorized', message: description, status: 401 };
  (components.responses ??= {})['OwnUnauthorized'] ??= {
    description,
    headers: headersOf('X-Request-Id'),
    content: { 'application/json': { schema: { $ref: getSchemaPath(ErrorResponse) }, example } },
  };
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
