import { parse, stringify } from 'yaml';

interface Document {
  readonly servers: readonly { readonly url: string }[];
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  deprecated?: boolean;
  responses?: Record<string, { headers?: Record<string, unknown> }>;
}

/**
 * The document as a mock server of Prism needs it to stand in for the service:
 *
 * - Prism looks for the paths at its root, so that no `Link` and no `Location` could be followed: they begin with the path of
 *   the first server here.
 * - It sends every header field that is described: none tells of a replay here.
 * - It has a word of its own for `Deprecation`, where an operation is deprecated: none is here, so that it takes the example.
 * - It answers 422 to what breaks the schema, where there is one: here is none beside a 400, which is what the service says.
 */
export function mockDocument(text: string): string {
  const document = parse(text, { intAsBigInt: true }) as Document;
  const base = new URL(document.servers[0]?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    delete operation.deprecated;
    const responses = operation.responses ?? {};
    if ('400' in responses) delete responses['422'];
    for (const { headers } of Object.values(responses)) delete headers?.['Idempotent-Replayed'];
  }
  document.paths = Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [base + path, item]));
  return stringify(document, { aliasDuplicateObjects: false });
}
