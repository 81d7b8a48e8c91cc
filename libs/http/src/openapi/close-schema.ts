import type { OpenAPIObject } from '@nestjs/swagger';
import type { Schema } from './document-parts.js';
import { nameIn } from './references.js';

/**
 * Declares that the objects of a schema, and the objects nested in them, have no other members.
 *
 * @param reference such as `#/components/schemas/Pet`
 */
export function closeSchema(document: OpenAPIObject, reference: string): void {
  const schema = document.components?.schemas?.[nameIn({ $ref: reference })] as Schema | undefined;
  if (schema?.type !== 'object' || schema.additionalProperties !== undefined) return;
  schema.additionalProperties = false;
  for (const nested of referencesIn(schema.properties)) closeSchema(document, nested);
}

function referencesIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) =>
    name === '$ref' && typeof value === 'string' ? [value] : referencesIn(value),
  );
}
