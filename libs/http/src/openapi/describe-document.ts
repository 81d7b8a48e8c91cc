import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ErrorCodes } from '../errors/error-codes.js';
import { MAX_LIMIT } from '../pages/page-request.js';
import { RouteTable } from '../server/route-table.js';
import {
  isResponse,
  operationsOf,
  schemaAt,
  takeExtension,
  type DocumentedOperation,
  type DocumentedResponse,
  type Operation,
} from './document-parts.js';
import { describeErrors } from './error-responses.js';
import { HEADERS, headersOf, type HeaderName } from './headers.js';

/** The extension with which an operation declares its list. */
export const LIST = 'x-list';

/** The list of an operation. */
export interface List {
  /** The name of the page's schema. No class represents it. */
  readonly schema: string;
  /** The plural of the listed things. */
  readonly many: string;
  /** A reference to the schema of one item. */
  readonly item: string;
}

/**
 * Completes a document that Swagger made from the controllers with everything that modules get without asking: pages,
 * conditional requests, header fields, errors, deprecations, and bodies without unknown members.
 */
export function describeDocument(app: INestApplication, document: OpenAPIObject): void {
  const components = (document.components ??= {});
  components.responses = { NotModified: NOT_MODIFIED };
  for (const described of operationsOf(document)) {
    describeList(document, described.operation);
    describeConditionalRequest(described);
    describeFields(described.operation);
    closeBody(document, described.operation);
  }
  describeErrors(document, app.get(ErrorCodes, { strict: false }));
  describeDeprecations(document, app.get(RouteTable, { strict: false }));
  components.headers = HEADERS;
}

/** Adds the schema of the pages of a list. */
function describeList({ components = {} }: OpenAPIObject, operation: Operation): void {
  const list = takeExtension(operation, LIST) as List | undefined;
  if (list === undefined) return;
  const { schema, many, item } = list;
  (components.schemas ??= {})[schema] = {
    type: 'array',
    description: `${many.charAt(0).toUpperCase()}${many.slice(1)} in ascending order of id.`,
    minItems: 0,
    maxItems: MAX_LIMIT,
    items: { $ref: item },
  };
}

const NOT_MODIFIED: DocumentedResponse = {
  description: 'The copy that the client holds is current; there is no body.',
  headers: headersOf('X-Request-Id', 'ETag'),
};

/** Every 200 in JSON has an entity tag, and `If-None-Match` is honoured. */
function describeConditionalRequest({ method, operation }: DocumentedOperation): void {
  const success = operation.responses['200'];
  if (method !== 'get' || !isResponse(success) || !isJson(success)) return;
  operation.responses['304'] ??= { $ref: '#/components/responses/NotModified' };
  operation.parameters = [
    ...(operation.parameters ?? []),
    {
      name: 'If-None-Match',
      in: 'header',
      description: 'Entity tags that the client holds; the answer is 304 when one of them is current.',
      required: false,
      schema: { type: 'string' },
    },
  ];
}

/** Adds the header fields that every response has to the responses that the controller describes. */
function describeFields({ responses, security = [] }: Operation): void {
  const counted: readonly HeaderName[] = security.length > 0 ? ['RateLimit-Policy', 'RateLimit'] : [];
  for (const [status, response] of Object.entries(responses)) {
    if (!isResponse(response)) continue;
    const tag: readonly HeaderName[] = status.startsWith('2') && isJson(response) ? ['ETag'] : [];
    response.headers = { ...headersOf('X-Request-Id', ...counted, ...tag), ...response.headers };
  }
}

function isJson({ content = {} }: DocumentedResponse): boolean {
  return content['application/json'] !== undefined;
}

/** Unknown members of a body are refused, also those of the objects nested in it. */
function closeBody(document: OpenAPIObject, { requestBody }: Operation): void {
  if (requestBody === undefined || '$ref' in requestBody) return;
  closeSchemas(document, requestBody.content['application/json']);
}

function closeSchemas(document: OpenAPIObject, part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [name, value] of Object.entries(part)) {
    const schema = name === '$ref' && typeof value === 'string' ? schemaAt(document, value) : undefined;
    if (schema === undefined) closeSchemas(document, value);
    if (schema?.type !== 'object' || schema.additionalProperties !== undefined) continue;
    schema.additionalProperties = false;
    closeSchemas(document, schema.properties);
  }
}

const DEPRECATION_HEADERS: Readonly<Record<string, HeaderName>> = {
  Deprecation: 'Deprecation',
  Sunset: 'Sunset',
  Link: 'SuccessorLink',
};

/** Marks the operations with `@Deprecated`, and adds its header fields to their successful responses. */
function describeDeprecations(document: OpenAPIObject, routes: RouteTable): void {
  for (const { methods, path, deprecation } of routes.deprecated) {
    const documentedPath = path.replaceAll(/[:*](?<name>\w+)/g, '{$<name>}');
    const names = deprecation.fields.flatMap((field) => DEPRECATION_HEADERS[field] ?? []);
    for (const { method, path: other, operation } of operationsOf(document)) {
      if (other !== documentedPath || !methods.includes(method.toUpperCase())) continue;
      operation.deprecated = true;
      for (const response of Object.values(operation.responses)) {
        if (isResponse(response)) response.headers = { ...headersOf(...names), ...response.headers };
      }
    }
  }
}
