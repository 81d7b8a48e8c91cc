import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import type { BaseErrorCode, ErrorCodeEntry, ErrorCodes } from '../errors/error-codes.js';
import { ErrorResponse } from '../errors/error.response.js';
import type { DocumentedResponse, Operation, Schema } from './document-parts.js';
import { CODES, OWN_MESSAGES } from './errors.decorators.js';
import { COUNTED, STANDING } from './response-headers.js';
import type { Messages } from './base-messages.js';
import { UNREAD_BODY, usualMessages } from './error-examples.js';
import { headersOf, type HeaderName } from './headers.js';
import { operationsOf, takeExtension } from './operations.js';

/** Marks an operation without a handler: only its guards can fail. */
export const OF_NO_HANDLER = 'x-of-no-handler';

/** The errors of every operation. */
const ALWAYS_POSSIBLE: readonly BaseErrorCode[] = [
  'request_timeout',
  'payload_too_large',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
];

/** The errors of an operation that has a handler. */
const POSSIBLE_WITH_HANDLER: readonly BaseErrorCode[] = ['invalid_request', 'method_not_allowed'];

/** The errors of an operation that requires an API key. */
const POSSIBLE_WITH_KEY: readonly BaseErrorCode[] = ['unauthorized', 'rate_limited'];

/** The errors of an operation that takes a body. */
const POSSIBLE_WITH_BODY: readonly BaseErrorCode[] = ['unsupported_media_type'];

const HEADERS_OF_ERROR: Readonly<Record<string, readonly HeaderName[]>> = {
  unauthorized: ['WWW-Authenticate'],
  method_not_allowed: ['Allow'],
  unsupported_media_type: ['Accept-Post', 'Accept-Encoding'],
  rate_limited: ['Retry-After'],
  service_unavailable: ['Retry-After'],
};

/**
 * The errors without the header fields of the rate limit: the key is missing or invalid, or the request did not arrive.
 */
const UNCOUNTED: readonly string[] = ['unauthorized', 'request_timeout', 'headers_too_large'];

const FAILURES: readonly string[] = ['internal_error', 'service_unavailable'];

/** Whether the response has no header fields of the rate limit. */
function isUncounted(code: string, { takesBody, hasHandler }: Kind): boolean {
  return (
    UNCOUNTED.includes(code) || (!hasHandler && FAILURES.includes(code)) || (!takesBody && code === 'payload_too_large')
  );
}

/** The properties of an operation on which its errors depend. */
interface Kind {
  readonly asksForKey: boolean;
  readonly takesBody: boolean;
  readonly hasHandler: boolean;
}

/**
 * Adds the error codes of the application to its document: the error responses of every operation, common responses as
 * components, and the values of `code`.
 */
export function describeErrors(document: OpenAPIObject, codes: ErrorCodes): void {
  const usedCodes = new Set<string>();
  for (const operation of operationsOf(document)) {
    const declared = takeExtension(operation, CODES) as string[] | undefined;
    const kind = {
      asksForKey: declared !== undefined || (operation.security ?? []).length > 0,
      takesBody: operation.requestBody !== undefined,
      hasHandler: takeExtension(operation, OF_NO_HANDLER) === undefined,
    };
    const possible = [...possibleOf(kind), ...(declared ?? [])];
    for (const code of possible) usedCodes.add(code);
    describeErrorsOf(
      document,
      operation,
      kind,
      codes.all().filter(([code]) => possible.includes(code)),
    );
  }
  const error = document.components?.schemas?.['Error'] as Schema | undefined;
  const code = error?.properties?.['code'] as Schema | undefined;
  if (code !== undefined) code.enum = codes.all().flatMap(([name]) => (usedCodes.has(name) ? [name] : []));
}

/** The error codes of the operations of a described document, with their meaning. */
export function describedCodes(document: OpenAPIObject, codes: ErrorCodes): [code: string, entry: ErrorCodeEntry][] {
  const error = document.components?.schemas?.['Error'] as Schema | undefined;
  const names = (error?.properties?.['code'] as Schema | undefined)?.enum ?? [];
  return codes.all().filter(([name]) => names.includes(name));
}

function possibleOf({ asksForKey, takesBody, hasHandler }: Kind): readonly string[] {
  return [
    ...ALWAYS_POSSIBLE,
    ...(hasHandler ? POSSIBLE_WITH_HANDLER : []),
    ...(asksForKey ? POSSIBLE_WITH_KEY : []),
    ...(takesBody ? POSSIBLE_WITH_BODY : []),
  ];
}

interface DescribedCode extends ErrorCodeEntry {
  readonly code: string;
  readonly messages: Messages;
  /** The messages of this operation. */
  readonly isOwn: boolean;
}

function describeErrorsOf(
  document: OpenAPIObject,
  operation: Operation,
  kind: Kind,
  codes: readonly [code: string, entry: ErrorCodeEntry][],
): void {
  const own = {
    ...ownMessages(kind),
    ...(takeExtension(operation, OWN_MESSAGES) as Record<string, string> | undefined),
  };
  const described = new Map<number, DescribedCode[]>();
  for (const [code, entry] of codes) {
    const message = own[code];
    const usual = kind.takesBody || code !== 'payload_too_large' ? usualMessages(code, entry) : UNREAD_BODY;
    const describedCode = {
      ...{ code, ...entry, isOwn: message !== undefined },
      messages: message === undefined ? usual : { [code]: message },
    };
    described.set(entry.status, [...(described.get(entry.status) ?? []), describedCode]);
  }
  for (const [status, codesOfStatus] of described) {
    const response = responseOf(codesOfStatus, kind);
    const isOwn = codesOfStatus.some((described) => described.isOwn);
    operation.responses[status] ??= isOwn ? response : shared(document, nameOf(codesOfStatus, kind), response);
  }
}

/** The violations in the example depend on the input of the operation. */
function ownMessages({ takesBody }: Kind): Readonly<Record<string, string>> {
  return {
    invalid_request: takesBody
      ? 'A body is required: send a JSON object'
      : 'unknown query parameter "verbose": none are allowed here',
  };
}

function shared(document: OpenAPIObject, name: string, response: DocumentedResponse): { $ref: string } {
  const components = (document.components ??= {});
  (components.responses ??= {})[name] ??= response;
  return { $ref: `#/components/responses/${name}` };
}

/** The name of a component. Responses of different operations get the same name only if they are equal. */
function nameOf(codesOfStatus: readonly DescribedCode[], { takesBody, hasHandler }: Kind): string {
  const codes = codesOfStatus.map(({ code }) => code);
  if (!takesBody && codes.includes('payload_too_large')) return 'ChunkExtensionsTooLarge';
  const names = codes.map((code) =>
    code.replaceAll(/(?:^|_)(?<letter>[a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );
  const isOfGuards = !hasHandler && codes.some((code) => FAILURES.includes(code));
  return `${names.join('Or')}${isOfGuards ? 'OfGuards' : ''}`;
}

/** One response for all codes of a status. */
function responseOf(codesOfStatus: readonly DescribedCode[], kind: Kind): DocumentedResponse {
  const isCounted = codesOfStatus.some(({ code }) => !isUncounted(code, kind));
  const bodies = codesOfStatus.flatMap(({ code, status, messages }) =>
    Object.entries(messages).map(([name, message]) => [name, { value: { code, message, status } }] as const),
  );
  return {
    description: codesOfStatus.map(({ meaning }) => meaning).join(' '),
    headers: headersOf(
      ...STANDING,
      ...(isCounted ? COUNTED : []),
      ...codesOfStatus.flatMap(({ code }) => HEADERS_OF_ERROR[code] ?? []),
    ),
    content: {
      'application/json': {
        schema: { $ref: getSchemaPath(ErrorResponse) },
        ...(bodies.length === 1 ? { example: bodies[0]?.[1].value } : { examples: Object.fromEntries(bodies) }),
      },
    },
  };
}
