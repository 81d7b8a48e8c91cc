import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import { headersOf, type HeaderName } from './headers.js';

/**
 * Documents the conditional request of an operation that reads.
 *
 * @param fields the header fields of its response besides `ETag`
 */
export function ApiNotModified(...fields: HeaderName[]): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      description: 'Entity tags that the client holds; the answer is 304 when one of them is current.',
      required: false,
      schema: { type: 'string' },
    }),
    ApiResponse({
      status: 304,
      description: 'The copy that the client holds is current; there is no body.',
      headers: headersOf('ETag', ...fields),
    }),
  );
}
