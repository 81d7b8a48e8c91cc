import { resolveSchema, type Document, type Schema } from './document.js';

/** A schema, and the document that contains the targets of its references. */
export interface SchemaOf {
  readonly document: Document;
  readonly schema: Schema | undefined;
}

/**
 * Why `current` may refuse a request that `released` allows. There is one line for each reason. The line begins with the
 * place.
 */
export function requestChanges(released: SchemaOf, current: SchemaOf, at: string): string[] {
  return compare(released, current, at, (before, after) => [
    ...escapes(before, after).map((fault) => `takes less: ${fault}`),
    ...gone(before, after).map((name) => `does not have ${name} any more`),
    ...(before.default !== undefined && after.default !== undefined && before.default !== after.default
      ? [`has another default, ${JSON.stringify(after.default)}`]
      : []),
  ]);
}

/**
 * Why a response of `current` may break a promise of `released`.
 *
 * @param openEnums whether values may be added: clients that do not know an error code use the status
 */
export function answerChanges(released: SchemaOf, current: SchemaOf, at: string, openEnums: boolean): string[] {
  return compare(released, current, at, (before, after) => [
    ...escapes(openEnums ? { ...after, enum: before.enum } : after, before).map((fault) => `promises less: ${fault}`),
    ...gone(before, after).map((name) => `does not have ${name} any more`),
  ]);
}

type Rule = (before: Schema, after: Schema) => string[];

/** Applies the rule to the two schemas, and to the schemas inside both of them. */
function compare(released: SchemaOf, current: SchemaOf, at: string, rule: Rule): string[] {
  if (released.schema === undefined || current.schema === undefined) return [];
  const before = resolveSchema(released.document, released.schema);
  const after = resolveSchema(current.document, current.schema);
  const inside = (schemas: readonly [Schema | undefined, Schema | undefined], place: string) =>
    compare({ ...released, schema: schemas[0] }, { ...current, schema: schemas[1] }, place, rule);
  return [
    ...rule(before, after).map((change) => `${at} ${change}`),
    ...Object.keys(before.properties ?? {}).flatMap((name) =>
      inside([before.properties?.[name], after.properties?.[name]], `${at}.${name}`),
    ),
    ...inside([before.items, after.items], `${at}[]`),
  ];
}

function gone(before: Schema, after: Schema): string[] {
  return Object.keys(before.properties ?? {}).filter((name) => !(name in (after.properties ?? {})));
}

const LOWER_BOUNDS = ['minimum', 'minLength', 'minItems'] as const;
const UPPER_BOUNDS = ['maximum', 'maxLength', 'maxItems'] as const;

/** How a value of `inner` can break the rules of `outer`. The schemas inside both are not compared here. */
function escapes(inner: Schema, outer: Schema): string[] {
  const [narrow, wide] = [withBounds(inner), withBounds(outer)];
  const faults: string[] = [];
  const differs = (name: 'type' | 'format' | 'pattern') => {
    if (wide[name] !== undefined && wide[name] !== narrow[name]) {
      faults.push(`${name} ${narrow[name] ?? 'any'} against ${wide[name]}`);
    }
  };
  differs('type');
  differs('format');
  differs('pattern');
  if (narrow.nullable === true && wide.nullable !== true) faults.push('null');
  const values = (narrow.enum ?? ['any value']).filter((value) => wide.enum?.includes(value) === false);
  if (values.length > 0) faults.push(values.join(', '));
  for (const name of LOWER_BOUNDS) {
    if ((narrow[name] ?? -Infinity) < (wide[name] ?? -Infinity)) {
      faults.push(`${name} ${narrow[name] ?? 'none'} against ${wide[name] ?? 'none'}`);
    }
  }
  for (const name of UPPER_BOUNDS) {
    if ((narrow[name] ?? Infinity) > (wide[name] ?? Infinity)) {
      faults.push(`${name} ${narrow[name] ?? 'none'} against ${wide[name] ?? 'none'}`);
    }
  }
  const unsure = (wide.required ?? []).filter((name) => narrow.required?.includes(name) !== true);
  if (unsure.length > 0) faults.push(`${unsure.join(', ')} may be missing`);
  if (wide.additionalProperties === false && narrow.additionalProperties !== false) faults.push('additional members');
  return faults;
}

/** Writes implied limits as explicit ones: an integer format implies two bounds, and the smallest length is 0. */
function withBounds(schema: Schema): Schema {
  const bounded = { minItems: 0, minLength: 0, ...schema };
  const bits = { int32: 31, int64: 63 }[schema.format ?? ''];
  if (bits === undefined) return bounded;
  const minimum = Math.max(schema.minimum ?? -Infinity, -(2 ** bits));
  const maximum = Math.min(schema.maximum ?? Infinity, 2 ** bits - 1);
  return { ...bounded, format: undefined, minimum, maximum };
}
