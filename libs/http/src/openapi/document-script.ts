import type { OpenAPIObject } from '@nestjs/swagger';
import { exactReplacer } from '../json/exact-json.js';
import { mayHoldBigInt } from '../json/exact-json.js';

/** The keys under which a document has examples. */
const EXAMPLES = ['example', 'value'];

/**
 * The document as an expression of JavaScript, where large numbers are rounded: an example that contains a `bigint`
 * becomes JSON text, which Swagger UI shows unchanged.
 */
export function scriptOf(document: OpenAPIObject): string {
  return JSON.stringify(document, (name, value: unknown) =>
    EXAMPLES.includes(name) && mayHoldBigInt(value) ? JSON.stringify(value, exactReplacer, 2) : value,
  );
}
