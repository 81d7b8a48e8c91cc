import type { OpenAPIObject } from '@nestjs/swagger';
import { DUMP_SCHEMA, dump } from 'js-yaml';

/** The YAML type of integers, including `bigint`, with every digit. js-yaml alone would refuse a `bigint`. */
const EXACT_INTEGERS = DUMP_SCHEMA.implicitScalarTags
  .filter(({ tagName }) => tagName === 'tag:yaml.org,2002:int')
  .map((tag) => ({
    ...tag,
    identify: (value: unknown) => typeof value === 'bigint' || tag.identify(value),
    represent: String,
  }));

const SCHEMA = DUMP_SCHEMA.withTags(...EXACT_INTEGERS);

/** The document for readers: a text with several lines is written in several lines. As exact as its JSON. */
export function yamlOf(document: OpenAPIObject): string {
  return dump(document, { skipInvalid: true, noRefs: true, schema: SCHEMA, lineWidth: 120 });
}
