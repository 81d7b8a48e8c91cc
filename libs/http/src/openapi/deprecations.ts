import type { OpenAPIObject } from '@nestjs/swagger';
import type { RouteTable } from '../server/route-table.js';
import { headersOf, type HeaderName } from './headers.js';
import { resolveResponse, type Operation } from './operations.js';

/** The header fields of {@link Deprecated}, by the names that they have there. */
const HEADERS: Readonly<Record<string, HeaderName>> = {
  Deprecation: 'Deprecation',
  Sunset: 'Sunset',
  Link: 'SuccessorLink',
};

/** Tells in a document whose errors are described which of its operations are deprecated. */
export function describeDeprecations(document: OpenAPIObject, routes: RouteTable): void {
  for (const { methods, path, deprecation } of routes.deprecated) {
    const item = document.paths[path.replaceAll(/[:*](?<name>\w+)/g, '{$<name>}')];
    const told = Object.entries(HEADERS).flatMap(([field, name]) => (deprecation.fields.includes(field) ? [name] : []));
    for (const method of methods) {
      const operation = item?.[method.toLowerCase() as 'get'];
      if (operation !== undefined) deprecate(document, operation, told);
    }
  }
}

function deprecate(document: OpenAPIObject, operation: Operation, told: readonly HeaderName[]): void {
  operation.deprecated = true;
  for (const [status, response] of Object.entries(operation.responses)) {
    if (response === undefined || isBeforeRouting(status, operation)) continue;
    const answer = resolveResponse(document, response);
    operation.responses[status] = { ...answer, headers: { ...headersOf(...told), ...answer.headers } };
  }
}

/** Another method, or a request that did not arrive, is none of the operation's; nor is a body that nobody reads. */
function isBeforeRouting(status: string, { requestBody }: Operation): boolean {
  return ['405', '408', '431'].includes(status) || (status === '413' && requestBody === undefined);
}
