import {
  answerOf,
  headersOf,
  type DescribedHeader,
  type OpenApiDocument,
  type Operation,
  type Schema,
} from './openapi.js';

/** The header fields that never change. They are described once, in prose, for all responses. */
const FIXED_FIELDS = [
  'Cache-Control',
  'Vary',
  'Content-Security-Policy',
  'Cross-Origin-Resource-Policy',
  'Referrer-Policy',
  'Strict-Transport-Security',
  'X-Content-Type-Options',
  'X-Frame-Options',
];

/** The header fields of HTTP itself. OpenAPI excludes `Content-Type` from descriptions in the same way. */
const FIELDS_OF_HTTP = ['Connection', 'Content-Length', 'Content-Type', 'Date', 'Keep-Alive'];

const NOT_LISTED = new Set([...FIXED_FIELDS, ...FIELDS_OF_HTTP].map((name) => name.toLowerCase()));

/** The part of a response that is compared with its description. */
export interface SentAnswer {
  readonly status: number;
  readonly headers: Headers;
}

/** The header fields of a response that a description must list, in lower case. */
function listedFields({ headers }: SentAnswer): string[] {
  return [...headers.keys()].filter((name) => !NOT_LISTED.has(name));
}

/**
 * The differences between the status and header fields of a response and the document; empty if there are none. A field
 * that several answers share may be described by its component alone.
 */
export function responseFaults(document: OpenApiDocument, operation: Operation, answer: SentAnswer): string[] {
  const { status, headers } = answer;
  const at = `${operation.operationId} ${status}`;
  if (!(status in operation.responses)) return [`${at} is not described`];
  const described = headersOf(document, answerOf(document, operation, status));
  const shared = Object.keys(document.components.headers ?? {});
  const names = new Set([...described.map(([name]) => name), ...shared].map((name) => name.toLowerCase()));
  return [
    ...listedFields(answer)
      .filter((name) => !names.has(name))
      .map((name) => `${at} carries ${name}, which is not described`),
    ...described.flatMap(([name, header]) => {
      const value = headers.get(name);
      if (value === null) return header.required === true ? [`${at} lacks ${name}`] : [];
      return obeys(header, value) ? [] : [`${at} carries ${name}: ${value}, which is not as described`];
    }),
  ];
}

/** Whether the description allows this value, as it is on the wire. */
function obeys({ schema }: DescribedHeader, value: string): boolean {
  const { type, enum: allowed, pattern, minimum } = schema satisfies Schema;
  if (allowed !== undefined && !allowed.map(String).includes(value)) return false;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return false;
  return type !== 'integer' || (/^[0-9]+$/.test(value) && Number(value) >= (minimum ?? 0));
}
