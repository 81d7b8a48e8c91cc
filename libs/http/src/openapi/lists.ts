import type { OpenAPIObject } from '@nestjs/swagger';
import { MAX_LIMIT } from '../pages/page-limit.js';
import { describeListParameters } from './list-parameters.js';
import { LIST, type List } from './listed-items.decorator.js';
import { operationsOf, takeExtension } from './operations.js';

/**
 * Completes the operations that list items, in a document that Swagger made from the controllers: the schemas of their
 * pages, and the parameters `limit` and `cursor`.
 */
export function describeLists(document: OpenAPIObject): void {
  const schemas = ((document.components ??= {}).schemas ??= {});
  for (const operation of operationsOf(document)) {
    const list = takeExtension(operation, LIST) as List | undefined;
    if (list === undefined) continue;
    const { schema, many, item } = list;
    describeListParameters(operation, many);
    schemas[schema] = {
      type: 'array',
      description: `${many.charAt(0).toUpperCase()}${many.slice(1)} in ascending order of id.`,
      minItems: 0,
      maxItems: MAX_LIMIT,
      items: { $ref: item },
    };
  }
}
