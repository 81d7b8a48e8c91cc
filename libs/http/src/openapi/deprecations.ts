import type { OpenAPIObject } from '@nestjs/swagger';
import type { RouteTable } from '../server/route-table.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** The header fields of {@link Deprecated}, by name. */
const HEADERS = {
  Deprecation: {
    description: 'Since when the operation is deprecated (RFC 9745).',
    schema: { type: 'string' as const },
  },
  Sunset: { description: 'When the operation will be removed (RFC 8594).', schema: { type: 'string' as const } },
  Link: { description: 'The successor of the operation.', schema: { type: 'string' as const } },
};

/** Tells in a document, as Swagger made it of the controllers, which of their methods are deprecated. */
export function describeDeprecations(document: OpenAPIObject, routes: RouteTable): void {
  for (const { methods, path, deprecation } of routes.deprecated) {
    const item = document.paths[path.replaceAll(/[:*](?<name>\w+)/g, '{$<name>}')];
    const told = Object.entries(HEADERS).filter(([name]) => deprecation.fields.includes(name));
    for (const method of methods) {
      const operation = item?.[method.toLowerCase() as 'get'];
      if (operation !== undefined) deprecate(operation, Object.fromEntries(told));
    }
  }
}

function deprecate(operation: Operation, headers: Partial<typeof HEADERS>): void {
  operation.deprecated = true;
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!status.startsWith('2') || response === undefined || '$ref' in response) continue;
    response.headers = { ...headers, ...response.headers };
  }
}
