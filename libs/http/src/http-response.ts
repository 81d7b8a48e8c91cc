import { hash } from 'node:crypto';
import type { HeaderFields } from './response-headers.js';

/**
 * The return value of a handler whose response has its own header fields, or a body that is already JSON text. One
 * object may be the response to many requests: its entity tag and its length are computed once.
 */
export class HttpResponse {
  private tag: string | undefined;
  private length: string | undefined;

  private constructor(
    /** JSON text. */
    readonly body: string,
    /** Header fields besides those that every response has. */
    readonly fields: HeaderFields,
    /** The address of what was created, without the prefix that a proxy removes. */
    readonly location?: string,
  ) {}

  /** A response whose body is already JSON text. */
  static rendered(json: string, ...fields: HeaderFields): HttpResponse {
    return new HttpResponse(json, fields);
  }

  /**
   * The response of a request that created something.
   *
   * @param location its address, as in `/v1/pets/1`: `PUBLIC_PATH_PREFIX` is put before it
   * @param replayed whether an earlier request with the same `Idempotency-Key` created it
   */
  static created(json: string, location: string, replayed = false): HttpResponse {
    return new HttpResponse(json, replayed ? ['Idempotent-Replayed', 'true'] : [], location);
  }

  /** In bytes of UTF-8. */
  get contentLength(): string {
    return (this.length ??= String(Buffer.byteLength(this.body)));
  }

  get entityTag(): string {
    return (this.tag ??= entityTag(this.body));
  }

  /**
   * Whether the client has this body, so that the response is 304.
   *
   * @param ifNoneMatch `*`, or a list of tags, compared weakly (RFC 9110, section 13.1.2)
   */
  matches(ifNoneMatch: string): boolean {
    if (ifNoneMatch.trim() === '*') return true;
    return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === this.entityTag);
  }
}

/** A strong entity tag (RFC 9110, section 8.8.3): the same for equal bytes, different for different bytes. */
export function entityTag(body: string | Buffer): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
}
