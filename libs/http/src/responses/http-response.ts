import { entityTag } from './entity-tag.js';
import { parseExactJson, stringifyExactJson } from '../json/exact-json.js';

/** Header fields, as names and values in turn: the form that Node writes without another copy. */
export type HeaderFields = readonly string[];

/** Says that the answer is the one of an earlier request with the same `Idempotency-Key`. */
const REPLAYED: HeaderFields = ['Idempotent-Replayed', 'true'];

export const NO_FIELDS: HeaderFields = [];

/**
 * What a handler returns when its answer has header fields of its own, or a body that is JSON text already.
 * One object may answer many requests: what is worked out from its body is worked out once.
 */
export class HttpResponse {
  private length: number | undefined;
  private tag: string | undefined;
  private allFields: HeaderFields | undefined;

  private constructor(
    /** JSON text. */
    readonly body: string,
    /** Those that it was made with, without `ETag`. */
    readonly ownFields: HeaderFields,
  ) {}

  /** An answer with this body; a `bigint` in it becomes a JSON number. */
  static of(body: unknown, ...fields: HeaderFields): HttpResponse {
    return new HttpResponse(stringifyExactJson(body), fields);
  }

  /** An answer whose body is JSON text already. */
  static rendered(json: string, ...fields: HeaderFields): HttpResponse {
    return new HttpResponse(json, fields);
  }

  /**
   * The answer of a request that made something.
   *
   * @param json what was made, as JSON text
   * @param location its address, as in `/v1/pets/1`
   * @param replayed an earlier request with the same `Idempotency-Key` had made it
   */
  static created(json: string, location: string, replayed = false): HttpResponse {
    return replayed
      ? new HttpResponse(json, ['Location', location, ...REPLAYED])
      : new HttpResponse(json, ['Location', location]);
  }

  /** The length of the body in UTF-8. */
  get bytes(): number {
    return (this.length ??= Buffer.byteLength(this.body));
  }

  /** The strong entity tag of the body. */
  get entityTag(): string {
    return (this.tag ??= entityTag(this.body));
  }

  /** The header fields, with `ETag`. */
  get fields(): HeaderFields {
    return (this.allFields ??= ['ETag', this.entityTag, ...this.ownFields]);
  }

  /** What the body says, made anew, with every integer exact: whoever takes it may change it. */
  toJSON(): unknown {
    return parseExactJson(this.body);
  }
}
