import type { FailedCall } from './errors.js';
import type { Int64Places } from './int64.js';
import type { CallOptions } from './options.js';

/** One call of an operation. */
export interface Call {
  /** The operation as in the OpenAPI document, for example `GET /pets/{petId}`. */
  readonly operation: `${'GET' | 'POST'} /${string}`;
  /** The value that replaces `{petId}`. */
  readonly id?: string;
  readonly query?: string;
  /** The body as JSON. */
  readonly body?: string;
  readonly idempotencyKey?: string;
  /** Whether the response is an array. Otherwise it is an object. */
  readonly isList?: boolean;
  /** The places of the 64-bit integers in the response. */
  readonly int64: Int64Places;
  readonly options: CallOptions;
}

export interface Answer {
  /** The parsed JSON of the body. */
  readonly value: object;
  readonly status: number;
  readonly headers: Headers;
  /** The facts about the call for an error that is found later. */
  readonly sent: FailedCall;
}

/** Sends a call. Retries it if a retry is safe and useful. @throws AnimalStoreError */
export type Send = (call: Call) => Promise<Answer>;
