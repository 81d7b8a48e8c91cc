import type { BaseErrorCode } from './error-codes.js';
import { ErrorResponse } from './error-response.js';

/** The request cannot be served as it is. Only the HTTP layer throws it; domain errors come from the domain. */
export class RequestError extends Error {
  constructor(
    /** Not named `body`: Express's parsers set that on an error. */
    readonly response: ErrorResponse,
    /** Header fields of the response. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(response.message);
  }

  private static of(code: BaseErrorCode, message: string, headers?: Readonly<Record<string, string>>): RequestError {
    return new RequestError(ErrorResponse.of(code, message), headers);
  }

  /**
   * @param violations all violations, each a sentence without its full stop; the first `MAX_REPORTED` of them are
   *   enough
   * @param count the number of all violations
   */
  static invalid(violations: readonly string[], count = violations.length): RequestError {
    const message = bounded(violations, '; ', (left) => `; and ${left} more`, count);
    return RequestError.of('invalid_request', message);
  }

  static nothingHere(): RequestError {
    return new RequestError(ErrorResponse.nothingHere());
  }

  /** @param noun the thing that the id does not identify, such as `animal` */
  static noSuch(noun: string): RequestError {
    return RequestError.of(
      'not_found',
      `There is no ${noun} with this id: an id is a 64-bit integer in decimal digits`,
    );
  }

  /** @param allow the value of `Allow`, which the response must have (RFC 9110, section 15.5.6) */
  static methodNotAllowed(method: string, allow: string): RequestError {
    const message = `${method} is not allowed at this address: use one of ${allow}`;
    return RequestError.of('method_not_allowed', message, { Allow: allow });
  }

  /** @param limit in bytes */
  static payloadTooLarge(limit: number): RequestError {
    return RequestError.of('payload_too_large', `The body is larger than ${limit} bytes, the most that is accepted`);
  }

  /** @param others the media types that the address accepts besides JSON */
  static unsupportedMediaType(others: readonly string[] = []): RequestError {
    const otherTypes = others.length === 0 ? '' : `, or a body of the type ${others.join(', ')}`;
    return RequestError.of(
      'unsupported_media_type',
      `The body must be JSON in UTF-8: send the header Content-Type: application/json${otherTypes}`,
      { 'Accept-Post': ['application/json', ...others].join(', ') },
    );
  }

  static unsupportedCharset(charset: string): RequestError {
    return RequestError.of(
      'unsupported_media_type',
      `The charset of the body must be utf-8, and not ${JSON.stringify(excerpt(charset))}: leave it out, or send charset=utf-8`,
      { 'Accept-Post': 'application/json' },
    );
  }

  /** For a body that a route reads itself: its announced length is its bound. */
  static lengthRequired(): RequestError {
    const message = 'The body must be sent with its length: send the header Content-Length, and no Transfer-Encoding';
    return new RequestError(new ErrorResponse('invalid_request', message, 411));
  }

  static unsupportedEncoding(): RequestError {
    return RequestError.of(
      'unsupported_media_type',
      'The body must be sent as it is: leave the header Content-Encoding out',
      { 'Accept-Encoding': 'identity' },
    );
  }

  /**
   * @param limit a sentence that says how often who may ask, without its full stop
   * @param retryAfter in seconds (RFC 9110, section 10.2.3)
   */
  static rateLimited(limit: string, retryAfter: number): RequestError {
    const message = `${limit}: try again in ${retryAfter} s`;
    return RequestError.of('rate_limited', message, { 'Retry-After': String(retryAfter) });
  }
}

/** How much of a client's own names an error message repeats: entries of one kind, and bytes of JSON in total. */
export const MAX_REPORTED = 20;
const MAX_BYTES = 7_000;

/** The first parts, as many as an Error body has room for. */
export function fitting(parts: readonly string[]): readonly string[] {
  let bytes = 0;
  const end = parts
    .slice(0, MAX_REPORTED)
    .findIndex((part) => (bytes += Buffer.byteLength(JSON.stringify(part))) > MAX_BYTES);
  return parts.slice(0, end === -1 ? MAX_REPORTED : end);
}

/**
 * Joins parts into a text that is never too long for an Error body.
 *
 * @param count the number of all parts, if `parts` has only the first of them
 * @param rest makes the text that replaces the parts that are left out
 */
export function bounded(
  parts: readonly string[],
  separator: string,
  rest: (left: string) => string,
  count = parts.length,
): string {
  const shown = fitting(parts);
  const text = shown.join(separator);
  return shown.length === count ? text : text + rest((count - shown.length).toLocaleString('en'));
}

/** In code points. */
const MAX_NAME_LENGTH = 64;

/** The beginning of a name that a client chose, at most 64 code points long. `…` replaces the rest. */
export function excerpt(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  // A code point has at most two UTF-16 units.
  const codePoints = Array.from(name.slice(0, 2 * MAX_NAME_LENGTH + 1));
  return codePoints.length <= MAX_NAME_LENGTH ? name : `${codePoints.slice(0, MAX_NAME_LENGTH).join('')}…`;
}
