import type { OpenAPIObject } from '@nestjs/swagger';
import { DUMP_SCHEMA, dump } from 'js-yaml';
import { exactReplacer, stringifyExactJson } from '../json/exact-json.js';
import { mayHoldBigInt } from '../json/holds-bigint.js';

/** The YAML type of integers, including `bigint`, with every digit. js-yaml alone would refuse a `bigint`. */
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

/** The document as YAML for readers: a text with several lines is written in several lines. As exact as {@link jsonOf}. */
export function yamlOf(document: OpenAPIObject): string {
  return dump(document, { skipInvalid: true, noRefs: true, schema: SCHEMA, lineWidth: 120 });
}

/**
 * The document as an expression of JavaScript, where large numbers are rounded: an example that contains a `bigint`
 * becomes JSON text, which Swagger UI shows unchanged.
 */
export function scriptOf(document: OpenAPIObject): string {
  return JSON.stringify(document, (name, value: unknown) =>
    EXAMPLES.includes(name) && mayHoldBigInt(value) ? JSON.stringify(value, exactReplacer, 2) : value,
  );
}

/** The keys under which a document has examples. */
const EXAMPLES = ['example', 'value'];
