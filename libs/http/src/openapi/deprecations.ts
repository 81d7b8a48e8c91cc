import type { OpenAPIObject } from '@nestjs/swagger';
import type { RouteTable } from '../server/route-table.js';
import type { Operation } from './document-parts.js';
import { headersOf, type HeaderName } from './headers.js';
import { resolveResponse } from './references.js';

/** The header fields of {@link Deprecated}, by their names in the document. */
const HEADERS: Readonly<Record<string, HeaderName>> = {
  Deprecation: 'Deprecation',
  Sunset: 'Sunset',
  Link: 'SuccessorLink',
};

/** Marks the deprecated operations in a document whose errors are already described. */
export function describeDeprecations(document: OpenAPIObject, routes: RouteTable): void {
  for (const { methods, path, deprecation } of routes.deprecated) {
    const item = document.paths[path.replaceAll(/[:*](?<name>\w+)/g, '{$<name>}')];
    const names = Object.entries(HEADERS).flatMap(([field, name]) =>
      deprecation.fields.includes(field) ? [name] : [],
    );
    for (const method of methods) {
      const operation = item?.[method.toLowerCase() as 'get'];
      if (operation !== undefined) deprecate(document, operation, names);
    }
  }
}

function deprecate(document: OpenAPIObject, operation: Operation, names: readonly HeaderName[]): void {
  operation.deprecated = true;
  for (const [status, response] of Object.entries(operation.responses)) {
    if (response === undefined || isBeforeRouting(status, operation)) continue;
    const resolved = resolveResponse(document, response);
    operation.responses[status] = { ...resolved, headers: { ...headersOf(...names), ...resolved.headers } };
  }
}

/**
 * These errors do not come from the operation: another method, a request that did not arrive, or a body that is not
 * read.
 */
function isBeforeRouting(status: string, { requestBody }: Operation): boolean {
  return ['405', '408', '431'].includes(status) || (status === '413' && requestBody === undefined);
}
