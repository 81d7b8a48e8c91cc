import type { FailedCall } from './errors.js';
import type { Int64Places } from './int64.js';
import type { HeaderFields, Signal } from './platform.js';

/** The options that every operation takes beside its input. They replace those of the client. */
export interface CallOptions {
  /** Aborts the call. The call then rejects with the reason of the signal. */
  readonly signal?: Signal | undefined;
  /** The time limit of the call in milliseconds, including its retries and the waits between them. */
  readonly timeout?: number | undefined;
  /** The time limit of one attempt in milliseconds. */
  readonly attemptTimeout?: number | undefined;
  /** The maximum number of retries. */
  readonly retries?: number | undefined;
  /** Header fields for this call. They replace those of the client with the same names. `Authorization` is always the API key. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

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
  /** An earlier result. If it is still current, the call returns this same object. */
  readonly revalidate?: object | undefined;
  /** Whether the response is an array. Otherwise it is an object. */
  readonly isList?: boolean;
  /** The places of the 64-bit integers in the response. */
  readonly int64: Int64Places;
  readonly options: CallOptions;
}

export interface Answer {
  /** The parsed JSON of the body. */
  readonly value: object;
  /** The address that was asked. */
  readonly url: string;
  readonly status: number;
  readonly headers: HeaderFields;
  /** The facts about the call for an error that is found later. */
  readonly sent: FailedCall;
}

/** Sends a call. Retries it if a retry is safe and useful. @throws AnimalStoreError, or the reason of the signal */
export type Send = (call: Call) => Promise<Answer>;
