import type { OpenAPIObject } from '@nestjs/swagger';
import type { Reference, Schema } from './document-parts.js';
import { operationsOf } from './operations.js';
import { nameIn } from './references.js';

/** A time in the format of the service. */
const A_MOMENT = '2026-11-23T12:00:00.000Z';

/**
 * Completes the examples of responses with the missing members, from the schema and in its order. An example that is a
 * text, or whose schema has other names, stays unchanged.
 */
export function describeExamples(document: OpenAPIObject): void {
  for (const { responses } of operationsOf(document)) {
    for (const response of Object.values(responses)) {
      if (response === undefined || '$ref' in response) continue;
      for (const media of Object.values(response.content ?? {})) {
        const { schema, examples = {} } = media;
        if (schema === undefined) continue;
        if (media.example !== undefined) media.example = completed(document, schema, media.example);
        for (const example of Object.values(examples))
          if ('value' in example) example.value = completed(document, schema, example.value);
      }
    }
  }
}

function completed(document: OpenAPIObject, described: Schema | Reference, example: unknown): unknown {
  const schema = resolve(document, described);
  if (Array.isArray(example)) {
    const { items } = schema;
    return items === undefined ? example : example.map((item) => completed(document, items, item));
  }
  if (typeof example !== 'object' || example === null) return example;
  return { ...membersOf(document, schema, example), ...example };
}

/** The members of an example, if the schema has any. */
function membersOf(document: OpenAPIObject, { properties = {} }: Schema, example: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const value = name in example ? (example as Record<string, unknown>)[name] : exampleOf(document, property);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function exampleOf(document: OpenAPIObject, described: Schema | Reference): unknown {
  const schema = resolve(document, described);
  const { type, format, items, properties, enum: allowed } = schema;
  if (schema.example !== undefined) return schema.example as unknown;
  if (type === 'array' && items !== undefined) {
    const item = exampleOf(document, items);
    return item === undefined ? undefined : [item];
  }
  if (properties !== undefined) return membersOf(document, { properties }, {});
  return format === 'date-time' ? A_MOMENT : (allowed?.[0] as unknown);
}

/** Includes the schemas to which it refers, and those of its `allOf`. */
function resolve(document: OpenAPIObject, described: Schema | Reference): Schema {
  if ('$ref' in described) {
    const named = document.components?.schemas?.[nameIn(described)];
    return named === undefined ? {} : resolve(document, named);
  }
  const parts = (described.allOf ?? []).map((part) => resolve(document, part));
  return Object.assign({}, ...parts, described) as Schema;
}
