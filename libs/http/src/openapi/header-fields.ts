import type { OpenAPIObject } from '@nestjs/swagger';
import { nextLink } from '../pages/pages.js';

type Components = NonNullable<OpenAPIObject['components']>;
type HeaderOrReference = NonNullable<Components['headers']>[string];

/** The description of a header field, as in the OpenAPI document. */
export type Header = Exclude<HeaderOrReference, { $ref: string }>;

/**
 * The header fields of responses, each once as a component of the document. The name of a component is the name of its field,
 * except for `SuccessorLink`, which is another `Link`.
 */
export const DOCUMENTED_HEADERS = {
  'X-Request-Id': {
    description:
      'The ID of this request in the log of the service. It is the `X-Request-Id` of the request if that has 1 to ' +
      '128 of the characters `A-Z a-z 0-9 . _ : = / + -`; otherwise it is new. Quote it when you report a problem.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._:=/+-]{1,128}$' },
    example: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  },
  ETag: {
    description: 'Strong entity tag of the body, for `If-None-Match` (RFC 9110).',
    required: true,
    schema: { type: 'string', pattern: '^"[!#-~]*"$' },
    example: '"xGbkXqRWfN0RzXvhW2nJ_3XbE9c"',
  },
  Link: {
    description: 'The address of the next page, if there is one: a path with a query, and `rel="next"` (RFC 8288).',
    schema: { type: 'string', pattern: '^<[^>]+>; rel="next"$' },
    example: nextLink('/v1/pets', {}, 3, 4n),
  },
  Location: {
    description: 'The address of what was created: a path.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example: '/v1/pets/1041',
  },
  'Idempotent-Replayed': {
    description:
      '`true` if an earlier request with the same `Idempotency-Key` was carried out. This is the response to it.',
    // With a text, or with an example beside the schema, mock servers would send the field in every response.
    schema: { type: 'boolean', enum: [true], example: true },
  },
  'WWW-Authenticate': {
    description: 'The challenge (RFC 6750). It has `error="invalid_token"` if a key was sent.',
    required: true,
    schema: { type: 'string', pattern: '^Bearer realm="[^"]+"' },
    example: 'Bearer realm="animal-store", error="invalid_token"',
  },
  'Retry-After': {
    description: 'How many seconds to wait before the next attempt (RFC 9110).',
    required: true,
    schema: { type: 'integer', format: 'int32', minimum: 1 },
    example: 1,
  },
  'RateLimit-Policy': {
    description:
      'If there is a limit: how many requests (`q`) the API key may send in how many seconds (`w`) ' +
      '(draft-ietf-httpapi-ratelimit-headers-10).',
    schema: { type: 'string', pattern: '^"default";q=[0-9]+;w=[0-9]+$' },
    example: '"default";q=600;w=60',
  },
  RateLimit: {
    description:
      'If there is a limit: how many requests are left (`r`), and in how many seconds it starts again (`t`).',
    schema: { type: 'string', pattern: '^"default";r=[0-9]+;t=[0-9]+$' },
    example: '"default";r=599;t=60',
  },
  Deprecation: {
    description: 'When the operation was deprecated: `@` and the seconds since 1970 (RFC 9745).',
    schema: { type: 'string', pattern: '^@[0-9]+$' },
    example: '@1795132800',
  },
  Sunset: {
    description: 'When the operation will be removed (RFC 8594).',
    schema: { type: 'string' },
    example: 'Thu, 05 Dec 2030 00:00:00 GMT',
  },
  SuccessorLink: {
    description: 'The address of the replacement (RFC 5829).',
    schema: { type: 'string', pattern: '^<[^>]+>; rel="successor-version"$' },
    example: '</v1/pets>; rel="successor-version"',
  },
} satisfies Record<string, Header>;

/** The fields that a page of another origin may read besides those that browsers always show. */
export const EXPOSED_FIELD_NAMES = [
  'Allow',
  ...Object.keys(DOCUMENTED_HEADERS).filter((name) => name !== 'SuccessorLink'),
];

export type HeaderReferences = Record<string, { $ref: string }>;

/** References to the descriptions of these fields. */
export function headersOf(...names: (keyof typeof DOCUMENTED_HEADERS)[]): HeaderReferences {
  return Object.fromEntries(
    names.map((name) => [name === 'SuccessorLink' ? 'Link' : name, { $ref: `#/components/headers/${name}` }]),
  );
}
