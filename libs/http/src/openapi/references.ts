import type { OpenAPIObject } from '@nestjs/swagger';
import type { DocumentedResponse, Reference } from './document-parts.js';

/** The name of the component to which a reference points. */
export function nameIn({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/** Returns the response of an operation, or the component to which the operation refers. */
export function resolveResponse(
  { components }: OpenAPIObject,
  response: DocumentedResponse | Reference,
): DocumentedResponse {
  if (!('$ref' in response)) return response;
  return components?.responses?.[nameIn(response)] as DocumentedResponse;
}
