import { SECURITY_HEADERS } from '../responses/response-headers.js';
import type { Header, Headers } from './document-parts.js';

/** The descriptions of the header fields of responses, each once as a component of the document. */
export const HEADERS = {
  'X-Request-Id': {
    description:
      'What the service calls this request in its log: the `X-Request-Id` of the request where that is 1 to 128 of the ' +
      'characters `A-Z a-z 0-9 . _ : = / + -`, else one of its own. Quote it when you report a fault.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._:=/+-]{1,128}$' },
    example: '0b5d3c0e1f4a4c7e9a52d2a6f1c8e473',
  },
  ETag: {
    description: 'Strong entity tag of the body, for `If-None-Match` (RFC 9110).',
    required: true,
    schema: { type: 'string', pattern: '^"[!#-~]*"$' },
    example: '"xGbkXqRWfN0RzXvhW2nJ_3XbE9c"',
  },
  Link: {
    description: 'The next page, where there is one (RFC 8288): a path with its query, `rel="next"`.',
    schema: { type: 'string', pattern: '^<[^>]+>; rel="next"$' },
    example: '</v1/pets?limit=3&cursor=AgAAAAAAAAQTw4uyE2vBl1JxkG0Oq8hYHg>; rel="next"',
  },
  Location: {
    description: 'The address of what was made: a path.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example: '/v1/pets/1041',
  },
  'Idempotent-Replayed': {
    description:
      '`true` where an earlier request with the same `Idempotency-Key` was carried out, and this is its answer.',
    // With a text, or with an example beside the schema, mock servers would send the field in every response.
    schema: { type: 'boolean', enum: [true], example: true },
  },
  'WWW-Authenticate': {
    description: 'The challenge (RFC 6750), with `error="invalid_token"` where a key was sent.',
    required: true,
    schema: { type: 'string', pattern: '^Bearer realm="[^"]+"' },
    example: 'Bearer realm="animal-store", error="invalid_token"',
  },
  'Accept-Post': {
    description: 'The media types that a body may have, where it had another one.',
    schema: { type: 'string' },
    example: 'application/json',
  },
  'Accept-Encoding': {
    description: 'The encodings that a body may have, where it had another one (RFC 9110).',
    schema: { type: 'string' },
    example: 'identity',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try (RFC 9110).',
    required: true,
    schema: { type: 'integer', format: 'int32', minimum: 1 },
    example: 1,
  },
  'RateLimit-Policy': {
    description:
      'How many requests (`q`) the API key may send in how many seconds (`w`), where a limit is set ' +
      '(draft-ietf-httpapi-ratelimit-headers-10).',
    schema: { type: 'string', pattern: '^"default";q=[0-9]+;w=[0-9]+$' },
    example: '"default";q=600;w=60',
  },
  RateLimit: {
    description:
      'How many requests are left (`r`), and in how many seconds (`t`) there are more, where a limit is set.',
    schema: { type: 'string', pattern: '^"default";r=[0-9]+;t=[0-9]+$' },
    example: '"default";r=599;t=60',
  },
  Deprecation: {
    description: 'Since when the operation is deprecated: `@` and seconds since 1970 (RFC 9745).',
    schema: { type: 'string', pattern: '^@[0-9]+$' },
    example: '@1795132800',
  },
  Sunset: {
    description: 'When the operation will be removed (RFC 8594).',
    schema: { type: 'string' },
    example: 'Thu, 05 Dec 2030 00:00:00 GMT',
  },
  SuccessorLink: {
    description: 'What takes the place of the operation (RFC 5829).',
    schema: { type: 'string', pattern: '^<[^>]+>; rel="successor-version"$' },
    example: '</v1/pets>; rel="successor-version"',
  },
} as const satisfies Record<string, Header>;

/** The name of a component. It is the name of its field, except if two fields of the same name have different meanings. */
export type HeaderName = keyof typeof HEADERS;

/** The field of a component. */
function fieldOf(name: HeaderName): string {
  return name === 'SuccessorLink' ? 'Link' : name;
}

/** References to the descriptions of these fields. */
export function headersOf(...names: HeaderName[]): Headers {
  return Object.fromEntries(names.map((name) => [fieldOf(name), { $ref: `#/components/headers/${name}` }]));
}

/** The fields of every response that the document names only in its introduction: their values never change. */
export const FIXED_FIELDS: readonly string[] = ['Cache-Control', 'Vary', ...Object.keys(SECURITY_HEADERS)];
