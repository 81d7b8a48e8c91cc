import type { Int64Places } from './int64.js';

/** What every operation takes beside its input. */
export interface CallOptions {
  /** Ends the call; it then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** In place of the client's. */
  readonly timeout?: number | undefined;
  /** In place of the client's. */
  readonly attemptTimeout?: number | undefined;
  /** In place of the client's. */
  readonly retries?: number | undefined;
}

/** One call of an operation. */
export interface Call {
  /** As the OpenAPI document has it, such as `GET /pets/{petId}`. */
  readonly operation: `${'GET' | 'POST'} /${string}`;
  /** What stands in the place of `{petId}`. */
  readonly id?: string;
  readonly query?: string;
  /** JSON. */
  readonly body?: string;
  readonly idempotencyKey?: string;
  /** An earlier result: it is the result again where it is still current. */
  readonly revalidate?: object | undefined;
  /** Whether the answer is an array; else it is an object. */
  readonly isList?: boolean;
  /** Where the answer has 64-bit integers. */
  readonly int64: Int64Places;
  readonly options: CallOptions;
}

export interface Answer {
  /** What the JSON of the body means. */
  readonly value: object;
  readonly headers: Headers;
}

/** Sends a call, and again where that is safe and of use. @throws AnimalStoreError, or the reason of the signal */
export type Send = (call: Call) => Promise<Answer>;
