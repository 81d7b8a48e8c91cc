import { getSchemaPath } from '@nestjs/swagger';
import { BASE_ERROR_CODES, type BaseErrorCode, type ErrorCodeEntry } from '../errors/error-codes.js';
import { ErrorResponse } from '../errors/error-response.js';
import { headersOf, type DocumentedResponse, type HeaderName } from './documented-headers.js';
import type { Components, Declared, Operation } from './operation.js';

type ErrorEntries = readonly (readonly [code: string, entry: ErrorCodeEntry])[];

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

function possibleErrors(
  operation: Operation,
  { isPublic, scopes, errors }: Declared,
  codes: ErrorEntries,
): ErrorEntries {
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
 *
 * @param codes of all errors
 * @throws Error if the operation names a code that no module registers
 */
export function describeErrors(
  components: Components,
  operation: Operation,
  declared: Declared,
  codes: ErrorEntries,
): void {
  const { responses } = operation;
  const possible = possibleErrors(operation, declared, codes);
  for (const status of new Set(possible.map(([, entry]) => entry.status))) {
    if (responses[status] !== undefined) continue;
    const ofStatus = possible.filter(([, entry]) => entry.status === status);
    const name = ofStatus.map(([code]) => pascalCase(code)).join('Or');
    responses[status] = { $ref: `#/components/responses/${name}` };
    (components.responses ??= {})[name] ??= errorResponse(ofStatus);
  }
  if (declared.isPublic) describeOwnUnauthorized(components, operation);
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

function errorResponse(entries: ErrorEntries): DocumentedResponse {
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
export function describedCodes(entries: ErrorEntries): string {
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
