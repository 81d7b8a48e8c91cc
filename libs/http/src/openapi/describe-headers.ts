import type { OpenAPIObject } from '@nestjs/swagger';
import type { DocumentedResponse, Reference } from './document-parts.js';
import { HEADERS } from './headers.js';
import { operationsOf } from './operations.js';
import { nameIn } from './references.js';

/** Adds the header fields to which the responses of a document refer, and removes responses to which nothing refers. */
export function describeHeaders(document: OpenAPIObject): void {
  const components = (document.components ??= {});
  const responses = operationsOf(document).flatMap((operation) => Object.values(operation.responses));
  components.responses = pick(components.responses ?? {}, referred(responses));
  const all = [...responses, ...Object.values(components.responses)];
  components.headers = pick(
    HEADERS,
    referred(all.flatMap((response) => Object.values((response as DocumentedResponse).headers ?? {}))),
  );
}

/** The names of the components to which the document refers. */
function referred(spots: readonly unknown[]): string[] {
  return spots.flatMap((spot) =>
    typeof spot === 'object' && spot !== null && '$ref' in spot ? nameIn(spot as Reference) : [],
  );
}

function pick<Value>(components: Readonly<Record<string, Value>>, names: readonly string[]): Record<string, Value> {
  return Object.fromEntries(Object.entries(components).filter(([name]) => names.includes(name)));
}
