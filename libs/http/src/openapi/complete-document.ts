import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { BASE_ERROR_CODES, type BaseErrorCode, type ErrorCodes } from '../errors/error-codes.js';
import { ErrorResponse } from '../errors/error-response.js';
import { DEPRECATED_EXTENSION, type DeprecationOptions } from '../routes/deprecated.js';
import { IDEMPOTENCY_KEY_FIELD } from '../routes/idempotency-key.js';
import { DOCUMENTED_HEADERS, headersOf, type HeaderReferences } from './header-fields.js';

export interface DocumentOptions {
  /** The codes of all errors. */
  readonly codes: ErrorCodes;
  /** The name of the security scheme of API keys. */
  readonly keyScheme: string;
  /** The extension of operations that need no API key. */
  readonly publicExtension: string;
}

/** The types of the parts of a document, which Swagger does not export by name. */
type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Components = NonNullable<OpenAPIObject['components']>;
type Response = Exclude<NonNullable<Operation['responses'][string]>, { $ref: string }>;

/** An operation, and what decorators left at it beside the members that OpenAPI has. */
type DeclaredOperation = Operation & Partial<Record<string, unknown>>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * Adds to a document that Swagger made from the controllers what all operations share: the API key, the common
 * errors, `X-Request-Id`, conditional requests and deprecations.
 */
export function completeDocument(document: OpenAPIObject, options: DocumentOptions): OpenAPIObject {
  const components = (document.components ??= {});
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS)
      if (item[method] !== undefined)
        complete(item[method] as DeclaredOperation, components, `${method} ${path}`, options);
  }
  const { properties = {} } = components.schemas?.['Error'] as { properties?: Record<string, object> };
  Object.assign(properties['code'] ?? {}, { description: describedCodes(options.codes) });
  components.headers = DOCUMENTED_HEADERS;
  return document;
}

function complete(operation: DeclaredOperation, components: Components, route: string, options: DocumentOptions): void {
  const { publicExtension, keyScheme } = options;
  const isPublic = operation[publicExtension] === true;
  const deprecation = operation[DEPRECATED_EXTENSION] as DeprecationOptions | undefined;
  for (const name of [publicExtension, DEPRECATED_EXTENSION]) Reflect.deleteProperty(operation, name);
  const isIdempotent = (operation.parameters ?? []).some(
    (parameter) => 'name' in parameter && parameter.name === IDEMPOTENCY_KEY_FIELD,
  );

  if (!isPublic) operation.security ??= [{ [keyScheme]: [] }];
  for (const [status, response] of ownResponses(operation)) {
    const hasTag = status.startsWith('2') && response.content?.['application/json'] !== undefined;
    const tag = hasTag ? headersOf('ETag') : {};
    const dates = deprecation === undefined ? {} : headersOf('Deprecation', 'Sunset', 'SuccessorLink');
    response.headers = { ...headersOf('X-Request-Id'), ...tag, ...dates, ...response.headers };
    if (hasTag && status === '200' && route.startsWith('get ')) describeConditionalRequest(operation, response.headers);
  }
  addErrors(components, operation, [
    ...(isPublic ? [] : (['unauthorized', 'forbidden', 'rate_limited'] as const)),
    ...(operation.requestBody === undefined ? [] : (['payload_too_large', 'unsupported_media_type'] as const)),
    ...(route.includes('{') ? (['not_found'] as const) : []),
    ...(isIdempotent ? (['idempotency_key_reused'] as const) : []),
  ]);
  if (deprecation !== undefined) describeDeprecation(operation, deprecation);
}

/** The responses that the controller describes: the others are references to a shared one. */
function ownResponses({ responses }: Operation): [status: string, response: Response][] {
  return Object.entries(responses).filter(
    (entry): entry is [string, Response] => entry[1] !== undefined && !('$ref' in entry[1]),
  );
}

/** The errors of every operation. */
const ALWAYS_POSSIBLE = [
  'invalid_request',
  'request_timeout',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
] as const;

const HEADERS_OF_ERROR: Readonly<Partial<Record<BaseErrorCode, HeaderReferences>>> = {
  unauthorized: headersOf('WWW-Authenticate'),
  rate_limited: headersOf('Retry-After', 'RateLimit-Policy', 'RateLimit'),
  service_unavailable: headersOf('Retry-After'),
};

/** Adds a reference for each error to one response under `components`. A response that the controller describes stays. */
function addErrors(components: Components, { responses }: Operation, possible: readonly BaseErrorCode[]): void {
  const shared = (components.responses ??= {});
  for (const code of [...ALWAYS_POSSIBLE, ...possible]) {
    const name = code.replaceAll(/(?:^|_)(?<letter>[a-z])/g, (_, letter: string) => letter.toUpperCase());
    responses[BASE_ERROR_CODES[code].status] ??= { $ref: `#/components/responses/${name}` };
    shared[name] ??= errorResponse(code);
  }
  responses['default'] ??= { $ref: '#/components/responses/OtherError' };
  shared['OtherError'] ??= { ...errorResponse('method_not_allowed'), description: 'Any other error.' };
}

function errorResponse(code: BaseErrorCode): Response {
  const { status, meaning } = BASE_ERROR_CODES[code];
  const example = { code, message: meaning.replaceAll('`', ''), status };
  return {
    description: meaning,
    headers: { ...headersOf('X-Request-Id'), ...HEADERS_OF_ERROR[code] },
    content: { 'application/json': { schema: { $ref: getSchemaPath(ErrorResponse) }, example } },
  };
}

/** In words: an enum would make generated clients throw on a new code. */
function describedCodes(codes: ErrorCodes): string {
  return [
    'What went wrong, for programs. New codes may be added: if you do not know a code, use `status`. The codes today:\n',
    ...codes.all().map(([code, { status, meaning }]) => `- \`${code}\` (${status}): ${meaning}`),
  ].join('\n');
}

function describeDeprecation(operation: Operation, { sunset }: DeprecationOptions): void {
  operation.deprecated = true;
  const date = new Date(sunset).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  operation.description = `Deprecated: it will be removed on ${date}. ${operation.description ?? ''}`.trim();
}

/** Every 200 with an entity tag honours `If-None-Match`. The 304 has the header fields of the 200. */
function describeConditionalRequest(operation: Operation, headers: Response['headers']): void {
  operation.responses['304'] ??= {
    description: 'The copy that the client has is current. The response has no body.',
    headers: { ...headers },
  };
  (operation.parameters ??= []).push({
    name: 'If-None-Match',
    in: 'header',
    description: 'The entity tags of the copies that the client has. If one of them is current, the response is 304.',
    required: false,
    // Without an example, which a form would send.
    schema: { type: 'string' },
  });
}
