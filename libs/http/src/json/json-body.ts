import { isUtf8 } from 'node:buffer';
import { RequestError } from '../errors/request.errors.js';
import { parseExactJson, RepeatedMemberError } from './exact-json.js';
import { JsonTooComplexError } from './json-shape.js';

/** Where the engine says that a text is no JSON; what it quotes of the text stands before that. */
const POSITION = /(?<position>position [0-9]+) \(line [0-9]+ column [0-9]+\)$/;

/**
 * What a body means that is to be JSON; see {@link parseExactJson}.
 *
 * @throws RequestError that says why it means nothing
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const text = decode(bytes);
  try {
    return parseExactJson(text);
  } catch (error) {
    if (error instanceof RepeatedMemberError || error instanceof JsonTooComplexError) {
      throw RequestError.invalid([error.message]);
    }
    const position = error instanceof SyntaxError ? POSITION.exec(error.message)?.groups?.['position'] : undefined;
    throw RequestError.invalid([`The body is not valid JSON${position === undefined ? '' : `, from ${position} on`}`]);
  }
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw RequestError.invalid(['The body is not valid UTF-8']);
  const text = bytes.toString('utf8');
  // A byte order mark may be ignored (RFC 8259, section 8.1).
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
