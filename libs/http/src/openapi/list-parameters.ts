import type { Operation } from './document-parts.js';

type Parameter = Exclude<NonNullable<Operation['parameters']>[number], { $ref: string }>;

/**
 * Completes the parameters `limit` and `cursor` of an operation. The cursor depends on the filters, so it follows them.
 *
 * @param many the plural of the listed things
 */
export function describeListParameters(operation: Operation, many: string): void {
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
