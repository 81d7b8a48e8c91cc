import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ERROR_CODES, type ErrorCode } from '../errors/error-codes.js';
import { ErrorResponse } from '../errors/error.response.js';

const RETRY_AFTER = { description: 'Seconds to wait before the next try.', schema: { type: 'integer' as const } };

const HEADERS_OF_ERROR = {
  unauthorized: {
    'WWW-Authenticate': { description: 'The challenge (RFC 6750).', schema: { type: 'string' as const } },
  },
  rate_limited: {
    'Retry-After': RETRY_AFTER,
    'RateLimit-Policy': {
      description:
        'How many requests (`q`) the API key may send in how many seconds (`w`), where a limit is set: on every answer, ' +
        'as draft-ietf-httpapi-ratelimit-headers-10 has it.',
      schema: { type: 'string' as const },
      example: '"default";q=600;w=60',
    },
    RateLimit: {
      description:
        'How many requests are left (`r`), and after how many seconds (`t`) there are more: on every answer.',
      schema: { type: 'string' as const },
      example: '"default";r=0;t=30',
    },
  },
  service_unavailable: { 'Retry-After': RETRY_AFTER },
} as const;

/** What every operation may answer with, whatever it does. */
const ALWAYS_POSSIBLE: readonly ErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
];

/** Documents the errors that an operation answers with, beside those that all do: the Error body, with an example of each code. */
export function ApiErrors(...codes: ErrorCode[]): MethodDecorator {
  return applyDecorators(
    ...[...ALWAYS_POSSIBLE, ...codes].map((code) => {
      const { status, meaning } = ERROR_CODES[code];
      return ApiResponse({
        status,
        description: meaning,
        ...(code in HEADERS_OF_ERROR && { headers: HEADERS_OF_ERROR[code as keyof typeof HEADERS_OF_ERROR] }),
        content: {
          'application/json': {
            schema: { $ref: getSchemaPath(ErrorResponse) },
            example: { code, message: meaning.replaceAll('`', ''), status },
          },
        },
      });
    }),
  );
}

/** Documents the conditional request of a read. */
export function ApiNotModified(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      description: 'Entity tags that the client holds; the answer is 304 when one of them is current.',
      required: false,
      schema: { type: 'string' },
    }),
    ApiResponse({ status: 304, description: 'The copy that the client holds is current; there is no body.' }),
  );
}
