import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import type { BaseErrorCode, ErrorCodeEntry, ErrorCodes } from '../errors/error-codes.js';
import { ErrorResponse } from '../errors/error.response.js';
import { CODES } from './api-errors.js';
import { operationsOf, schemaAt, takeExtension, type DocumentedResponse, type Operation } from './document-parts.js';
import { headersOf, type HeaderName } from './headers.js';

/** The errors of every operation. */
const ALWAYS_POSSIBLE: readonly BaseErrorCode[] = [
  'invalid_request',
  'request_timeout',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
];

/** The errors of an operation that requires an API key. */
const POSSIBLE_WITH_KEY: readonly BaseErrorCode[] = ['unauthorized', 'rate_limited'];

/** The errors of an operation that takes a body. */
const POSSIBLE_WITH_BODY: readonly BaseErrorCode[] = ['payload_too_large', 'unsupported_media_type'];

const HEADERS_OF_ERROR: Readonly<Record<string, readonly HeaderName[]>> = {
  unauthorized: ['WWW-Authenticate'],
  unsupported_media_type: ['Accept-Post', 'Accept-Encoding'],
  rate_limited: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
  service_unavailable: ['Retry-After'],
};

type Entries = readonly (readonly [code: string, entry: ErrorCodeEntry])[];

/**
 * Adds the errors to every operation: a reference to one response under `components` for each status. Lists the
 * registered codes in the description of `Error.code`; an enum would make generated clients throw on a new code.
 */
export function describeErrors(document: OpenAPIObject, codes: ErrorCodes): void {
  for (const { operation } of operationsOf(document)) {
    const declared = takeExtension(operation, CODES) as string[] | undefined;
    const possible = possibleCodes(operation, declared);
    const entries = codes.all().filter(([code]) => possible.includes(code));
    for (const status of new Set(entries.map(([, entry]) => entry.status))) {
      operation.responses[status] ??= sharedResponse(
        document,
        entries.filter(([, entry]) => entry.status === status),
      );
    }
  }
  const code = schemaAt(document, getSchemaPath(ErrorResponse))?.properties?.['code'];
  if (code !== undefined && !('$ref' in code)) code.description = describedCodes(codes.all());
}

function possibleCodes({ security = [], requestBody }: Operation, declared: string[] | undefined): readonly string[] {
  const asksForKey = declared !== undefined || security.length > 0;
  return [
    ...ALWAYS_POSSIBLE,
    ...(asksForKey ? POSSIBLE_WITH_KEY : []),
    ...(requestBody === undefined ? [] : POSSIBLE_WITH_BODY),
    ...(declared ?? []),
  ];
}

/** The response for these codes, which have the same status: the name of the component tells the codes. */
function sharedResponse(document: OpenAPIObject, entries: Entries): { $ref: string } {
  const name = entries.map(([code]) => pascalCase(code)).join('Or');
  const components = (document.components ??= {});
  (components.responses ??= {})[name] ??= responseOf(entries);
  return { $ref: `#/components/responses/${name}` };
}

function responseOf(entries: Entries): DocumentedResponse {
  const examples = entries.map(([code, { status, example, meaning }]) => ({
    code,
    message: example ?? meaning.replaceAll('`', ''),
    status,
  }));
  return {
    description: entries.map(([, { meaning }]) => meaning).join(' '),
    headers: headersOf('X-Request-Id', ...entries.flatMap(([code]) => HEADERS_OF_ERROR[code] ?? [])),
    content: { 'application/json': { schema: { $ref: getSchemaPath(ErrorResponse) }, example: examples[0] } },
  };
}

function describedCodes(entries: Entries): string {
  const items = entries.map(([code, { status, meaning }]) => `- \`${code}\` (${status}): ${meaning}`);
  return [
    'What went wrong, for programs. There may be more codes some day: take one that you do not know for what its ' +
      '`status` says. Known are:',
    items.join('\n'),
  ].join('\n\n');
}

function pascalCase(code: string): string {
  return code.replaceAll(/(?:^|_)(?<letter>[a-z])/g, (_, letter: string) => letter.toUpperCase());
}
