import type { OpenAPIObject } from '@nestjs/swagger';
import type { DocumentedResponse } from './document-parts.js';
import { headersOf, type HeaderName } from './headers.js';
import { operationsOf } from './operations.js';

/** The fields of every response whose values differ between responses. */
export const STANDING: readonly HeaderName[] = ['X-Request-Id', 'Cache-Control', 'Vary'];

/** The fields of every response to a counted request, if there is a rate limit. */
export const COUNTED: readonly HeaderName[] = ['RateLimit-Policy', 'RateLimit'];

/** Adds to the responses that controllers describe the header fields of every response, and those of JSON responses. */
export function describeFields(document: OpenAPIObject): void {
  for (const { responses, security = [] } of operationsOf(document)) {
    for (const [status, response] of Object.entries(responses)) {
      if (response === undefined || '$ref' in response) continue;
      response.headers = {
        ...headersOf(...STANDING, ...(security.length > 0 && status !== '401' ? COUNTED : [])),
        ...(isTagged(status, response) && headersOf('ETag')),
        ...response.headers,
      };
    }
  }
}

function isTagged(status: string, { content }: DocumentedResponse): boolean {
  return status.startsWith('2') && content?.['application/json'] !== undefined;
}
