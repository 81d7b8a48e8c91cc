import type { OpenAPIObject } from '@nestjs/swagger';
import { DUMP_SCHEMA, dump } from 'js-yaml';
import { exactReplacer, stringifyExactJson } from '../json/exact-json.js';
import { mayHoldBigInt } from '../json/holds-bigint.js';

/** The tag of integers, for `bigint` as well: with every digit, where js-yaml alone would refuse it. */
const EXACT_INTEGERS = DUMP_SCHEMA.implicitScalarTags
  .filter(({ tagName }) => tagName === 'tag:yaml.org,2002:int')
  .map((tag) => ({
    ...tag,
    identify: (value: unknown) => typeof value === 'bigint' || tag.identify(value),
    represent: String,
  }));

const SCHEMA = DUMP_SCHEMA.withTags(...EXACT_INTEGERS);

/** The document as JSON. An example that is a `bigint` keeps every digit. */
export function jsonOf(document: OpenAPIObject): string {
  return stringifyExactJson(document);
}

/** The document as YAML, to be read by people too: a text that has lines is shown in lines. As exact as {@link jsonOf}. */
export function yamlOf(document: OpenAPIObject): string {
  return dump(document, { skipInvalid: true, noRefs: true, schema: SCHEMA, lineWidth: 120 });
}

/**
 * The document as an expression of JavaScript, where numbers are rounded: an example that holds a `bigint` is JSON text,
 * which Swagger UI shows as it is.
 */
export function scriptOf(document: OpenAPIObject): string {
  return JSON.stringify(document, (name, value: unknown) =>
    EXAMPLES.includes(name) && mayHoldBigInt(value) ? JSON.stringify(value, exactReplacer, 2) : value,
  );
}

/** Where a document has examples. */
const EXAMPLES = ['example', 'value'];
