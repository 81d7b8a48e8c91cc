import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import type { ErrorCodes } from '../errors/error-codes.js';
import { ErrorResponse } from '../errors/error-response.js';
import { MAX_LIMIT } from '../pages/page-request.js';
import type { Deprecation } from '../requests/exchange.js';
import type { ModuleHeaders } from '../responses/module-headers.js';
import type { List, OperationGroup } from './api.decorators.js';
import { describedCodes, describeErrors } from './documented-errors.js';
import { documentedHeaders, headersOf, type DocumentedResponse, type HeaderName } from './documented-headers.js';
import { operationsOf, takeDeclared, type AccessExtensions, type Components, type Operation } from './operation.js';

export interface DocumentOptions extends AccessExtensions {
  /** The codes of all errors. */
  readonly codes: ErrorCodes;
  /** The name of the security scheme of API keys. */
  readonly keyScheme: string;
  /** The address of a collection, such as `/v1/pets`, for the examples of header fields. */
  readonly collection: string;
  /** The header fields that modules add to every response. */
  readonly moduleHeaders: ModuleHeaders;
  /** The value of `WWW-Authenticate` in a 401. */
  readonly challenge: string;
}

type Schema = Exclude<NonNullable<Components['schemas']>[string], { $ref: string }>;

/**
 * Completes a document that Swagger made from the controllers, with everything that modules get without asking: security,
 * pages, conditional requests, header fields, errors, deprecations, and bodies without unknown members.
 *
 * @throws Error if an operation names an error code that no module registers
 */
export function completeDocument(document: OpenAPIObject, options: DocumentOptions): OpenAPIObject {
  const codes = options.codes.all();
  const groups = new Map<string, OperationGroup>();
  const components = (document.components ??= {});
  for (const { path, method, operation } of operationsOf(document)) {
    dropStrayParameters(operation, path);
    const declared = takeDeclared(operation, options);
    operation.tags &&= [...new Set(operation.tags)];
    for (const name of operation.tags ?? []) if (!groups.has(name)) groups.set(name, { name });
    if (declared.group !== undefined) groups.set(declared.group.name, declared.group);
    describeSecurity(operation, options.keyScheme, declared.isPublic);
    describeScopes(operation, declared.scopes);
    describeList(components, declared.list);
    describeFields(operation, declared.isPublic);
    closeBody(components, operation);
    describeErrors(components, operation, declared, codes);
    describeDeprecation(operation, declared.deprecation);
    if (method === 'get') describeConditionalRequest(operation);
    describeModuleHeaders(operation, options.moduleHeaders);
  }
  const code = schemaAt(components, getSchemaPath(ErrorResponse))?.properties?.['code'];
  if (code !== undefined && !('$ref' in code)) code.description = describedCodes(codes);
  const used = JSON.stringify(document);
  const headers = {
    ...documentedHeaders(options.collection, options.challenge),
    ...Object.fromEntries(options.moduleHeaders),
  };
  components.headers = Object.fromEntries(
    Object.entries(headers).filter(([name]) => used.includes(`"#/components/headers/${name}"`)),
  );
  const others = (document.tags ?? []).filter(({ name }) => !groups.has(name));
  document.tags = [...groups.values(), ...others];
  return document;
}

/** `ApiResource.change` and its kin describe the id of an item, also on a route whose path has none: that would be no valid document. */
function dropStrayParameters(operation: Operation, path: string): void {
  operation.parameters = operation.parameters?.filter(
    (parameter) => '$ref' in parameter || parameter.in !== 'path' || path.includes(`{${parameter.name}}`),
  );
}

/** The schema of a component to which a reference leads, as in `#/components/schemas/Pet`. */
function schemaAt({ schemas = {} }: Components, reference: string): Schema | undefined {
  return schemas[reference.slice(reference.lastIndexOf('/') + 1)] as Schema | undefined;
}

/** The responses that the controller describes: the others are references to a shared one. */
function ownResponses({ responses }: Operation): [status: string, response: DocumentedResponse][] {
  return Object.entries(responses).flatMap(([status, response]): [string, DocumentedResponse][] =>
    response === undefined || '$ref' in response ? [] : [[status, response]],
  );
}

/**
 * An operation needs the API key unless it is public, and everything that its decorators declare besides. An empty list says that it
 * needs nothing.
 */
function describeSecurity(operation: Operation, keyScheme: string, isPublic: boolean): void {
  const { security = [] } = operation;
  const declared = security.filter((requirement) => !Object.hasOwn(requirement, keyScheme));
  if (!isPublic) {
    const key = { [keyScheme]: [] };
    operation.security = declared.length === 0 ? [key] : declared.map((requirement) => ({ ...key, ...requirement }));
  } else operation.security = declared;
}

/** OpenAPI 3.0 has no place for the scopes of an API key, so they are in the description and in an extension. */
function describeScopes(operation: Operation, scopes: readonly string[]): void {
  if (scopes.length === 0) return;
  const names = scopes.map((scope) => `\`${scope}\``).join(' and ');
  const sentence = `Requires the scope${scopes.length > 1 ? 's' : ''} ${names} if the API key has a list of scopes.`;
  operation.description = [operation.description, sentence].filter(Boolean).join('\n\n');
}

/** Adds the schema of the pages of a list. */
function describeList(components: Components, list: List | undefined): void {
  if (list === undefined) return;
  const { schema, description, item } = list;
  (components.schemas ??= {})[schema] = {
    type: 'array',
    description,
    minItems: 0,
    maxItems: MAX_LIMIT,
    items: { $ref: item },
  };
}

/** Every 200 in JSON has an entity tag, and `If-None-Match` is honoured. The 304 has the header fields of the 200. */
function describeConditionalRequest(operation: Operation): void {
  const found = ownResponses(operation).find(([status, response]) => status === '200' && isJson(response));
  if (found === undefined) return;
  const [, { headers = {} }] = found;
  operation.responses['304'] ??= {
    description: 'The copy that the client has is current. The response has no body.',
    headers: { ...headers },
  };
  operation.parameters = [
    ...(operation.parameters ?? []),
    {
      name: 'If-None-Match',
      in: 'header',
      description: 'The entity tags of the copies that the client has. If one of them is current, the response is 304.',
      required: false,
      schema: { type: 'string' },
      example: '"xGbkXqRWfN0RzXvhW2nJ_3XbE9c"',
    },
  ];
}

/** Adds the header fields that every response has to the responses that the controller describes. */
function describeFields(operation: Operation, isPublic: boolean): void {
  const counted: readonly HeaderName[] = isPublic ? [] : ['RateLimit-Policy', 'RateLimit'];
  for (const [status, response] of ownResponses(operation)) {
    const tag: readonly HeaderName[] = status.startsWith('2') && isJson(response) ? ['ETag'] : [];
    response.headers = { ...headersOf('X-Request-Id', ...counted, ...tag), ...response.headers };
  }
}

/** Interceptors of modules run for every operation, and not before a guard that refuses the request. */
function describeModuleHeaders(operation: Operation, moduleHeaders: ModuleHeaders): void {
  const references = [...moduleHeaders.keys()].map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  const added = Object.fromEntries(references) as DocumentedResponse['headers'];
  for (const [, response] of ownResponses(operation)) response.headers = { ...response.headers, ...added };
}

function isJson({ content = {} }: DocumentedResponse): boolean {
  return content['application/json'] !== undefined;
}

/** Unknown members of a body are refused, also those of the objects nested in it. */
function closeBody(components: Components, { requestBody }: Operation): void {
  if (requestBody === undefined || '$ref' in requestBody) return;
  closeSchemas(components, requestBody.content['application/json']);
}

function closeSchemas(components: Components, part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [name, value] of Object.entries(part)) {
    const schema = name === '$ref' && typeof value === 'string' ? schemaAt(components, value) : undefined;
    if (schema === undefined) closeSchemas(components, value);
    if (schema?.type !== 'object' || schema.additionalProperties !== undefined) continue;
    schema.additionalProperties = false;
    closeSchemas(components, schema.properties);
  }
}

/** Marks an operation with `@Deprecated`, and adds its header fields to its successful responses. */
function describeDeprecation(operation: Operation, deprecation: Deprecation | undefined): void {
  if (deprecation === undefined) return;
  operation.deprecated = true;
  const names = (['Deprecation', 'Sunset', 'Link'] as const)
    .filter((field) => deprecation.fields.includes(field))
    .map((field) => (field === 'Link' ? 'SuccessorLink' : field));
  for (const [, response] of ownResponses(operation)) {
    response.headers = { ...headersOf(...names), ...response.headers };
  }
  if (deprecation.sunset === undefined) return;
  const date = new Date(deprecation.sunset * 1000).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  operation.description = `Deprecated: it will be removed on ${date}. ${operation.description ?? ''}`.trim();
}
