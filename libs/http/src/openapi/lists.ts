import type { Type } from '@nestjs/common';
import { ApiExtension, getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { MAX_LIMIT } from '../pages/page-limit.js';
import { operationsOf, takeExtension, type Operation } from './operations.js';

type Parameter = Exclude<NonNullable<Operation['parameters']>[number], { $ref: string }>;

/** The extension with which an operation declares its list, until {@link describeLists} replaces it. */
const LIST = 'x-list';

/** The list of an operation. */
interface List {
  /** The name of the page's schema. No class represents it. */
  readonly schema: string;
  readonly many: string;
  /** A reference to the schema of one item. */
  readonly item: string;
}

export function ListedItems({ type, ...list }: Omit<List, 'item'> & { readonly type: Type }): MethodDecorator {
  return ApiExtension(LIST, { ...list, item: getSchemaPath(type) } satisfies List);
}

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
    describeParameters(operation, many);
    schemas[schema] = {
      type: 'array',
      description: `${many.charAt(0).toUpperCase()}${many.slice(1)} in ascending order of id.`,
      minItems: 0,
      maxItems: MAX_LIMIT,
      items: { $ref: item },
    };
  }
}

/** The cursor depends on the filters, so it follows them. */
function describeParameters(operation: Operation, many: string): void {
  const parameters = (operation.parameters ?? []).filter((parameter): parameter is Parameter => !('$ref' in parameter));
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const cursor = inQuery.find(({ name }) => name === 'cursor');
  const limit = inQuery.find(({ name }) => name === 'limit');
  if (cursor === undefined || limit === undefined) return;
  const filters = inQuery.filter((parameter) => parameter !== cursor && parameter !== limit);
  const names = filters.map(({ name }) => `\`${name}\``).join(' and ');
  limit.description = `Maximum number of ${many} returned.`;
  cursor.description =
    'Where the page begins: opaque, as the `Link` header of the page before gave it' +
    (names === '' ? '.' : `, with the same ${names}.`);
  const others = parameters.filter((parameter) => parameter.in !== 'query');
  operation.parameters = [limit, ...filters, cursor, ...others];
}
