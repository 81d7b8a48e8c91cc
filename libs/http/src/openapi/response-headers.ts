import type { OpenAPIObject } from '@nestjs/swagger';
import { headersOf, type HeaderName } from './headers.js';
import { operationsOf, type Answer } from './operations.js';

/** The fields of every answer whose values are not the same for all. */
export const STANDING: readonly HeaderName[] = ['X-Request-Id', 'Cache-Control', 'Vary'];

/** Those of every answer to a request that counted, where a limit is set. */
export const COUNTED: readonly HeaderName[] = ['RateLimit-Policy', 'RateLimit'];

/** Adds to the answers that controllers describe what every answer carries, and those that are JSON. */
export function describeFields(document: OpenAPIObject): void {
  for (const { responses, security = [] } of operationsOf(document)) {
    for (const [status, answer] of Object.entries(responses)) {
      if (answer === undefined || '$ref' in answer) continue;
      answer.headers = {
        ...headersOf(...STANDING, ...(security.length > 0 && status !== '401' ? COUNTED : [])),
        ...(isTagged(status, answer) && headersOf('ETag')),
        ...answer.headers,
      };
    }
  }
}

function isTagged(status: string, { content }: Answer): boolean {
  return status.startsWith('2') && content?.['application/json'] !== undefined;
}
