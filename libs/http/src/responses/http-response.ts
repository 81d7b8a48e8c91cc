import { hash } from 'node:crypto';
import { parseExactJson, stringifyExactJson } from '../json/exact-json.js';

/** Header fields as a list in which names and values alternate: Node writes this form without a copy. */
export type HeaderFields = readonly string[];

/** Says that the response is the response of an earlier request with the same `Idempotency-Key`. */
const REPLAYED: HeaderFields = ['Idempotent-Replayed', 'true'];

export const NO_FIELDS: HeaderFields = [];

/**
 * The length from which a text is sent as bytes, in UTF-16 units. While a client does not read it, a text would be in memory
 * twice, and Node would count its characters instead of its bytes.
 */
const LONG = 16 * 1024;

/**
 * The return value of a handler whose response has its own header fields, or a body that is already JSON text. One
 * object may be the response to many requests: everything that is computed from its body is computed once.
 */
export class HttpResponse {
  private encoded: Buffer | undefined;
  private length: number | undefined;
  private tag: string | undefined;
  private allFields: HeaderFields | undefined;

  private constructor(
    /** JSON text. */
    readonly body: string,
    /** The header fields that it was created with. */
    readonly ownFields: HeaderFields,
  ) {}

  /** A response with this body; a `bigint` in it becomes a JSON number. */
  static of(body: unknown, ...fields: HeaderFields): HttpResponse {
    return new HttpResponse(stringifyExactJson(body), fields);
  }

  /** A response whose body is already JSON text. */
  static rendered(json: string, ...fields: HeaderFields): HttpResponse {
    return new HttpResponse(json, fields);
  }

  /**
   * The response of a request that created something.
   *
   * @param json the created thing as JSON text
   * @param location its address, as in `/v1/pets/1`
   * @param replayed whether an earlier request with the same `Idempotency-Key` created it
   */
  static created(json: string, location: string, replayed = false): HttpResponse {
    return replayed
      ? new HttpResponse(json, ['Location', location, ...REPLAYED])
      : new HttpResponse(json, ['Location', location]);
  }

  /** What is written: the text of a short body, and the bytes of a long one, so that it is encoded once. */
  get content(): string | Buffer {
    return this.body.length < LONG ? this.body : (this.encoded ??= Buffer.from(this.body));
  }

  /** The length of the body in UTF-8. */
  get bytes(): number {
    return (this.length ??= Buffer.byteLength(this.content));
  }

  /** The entity tag that it was created with, otherwise the strong one of the body. */
  get entityTag(): string {
    return (this.tag ??= this.ownTag ?? entityTag(this.content));
  }

  /** The header fields, with `ETag`. */
  get fields(): HeaderFields {
    return (this.allFields ??=
      this.ownTag === undefined ? ['ETag', this.entityTag, ...this.ownFields] : this.ownFields);
  }

  private get ownTag(): string | undefined {
    const at = this.ownFields.indexOf('ETag');
    return at === -1 ? undefined : this.ownFields[at + 1];
  }

  /** The body, parsed again with every integer exact: the caller may change the result. */
  toJSON(): unknown {
    return parseExactJson(this.body);
  }
}

/** A strong entity tag (RFC 9110, section 8.8.3): the same for equal bytes, different for different bytes. */
export function entityTag(body: string | Buffer): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
}

/**
 * Whether the client has the current version, so that the response is 304.
 *
 * @param ifNoneMatch the value of `If-None-Match`: `*`, or a list of tags, compared weakly (RFC 9110, section 13.1.2)
 */
export function matchesEntityTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
}
