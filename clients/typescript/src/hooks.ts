import type { AnimalStoreError } from './errors.js';
import type { HeaderFields } from './platform.js';

/** One attempt of a call, before it is sent. */
export interface AttemptRequest {
  /** The operation as in the OpenAPI document, for example `GET /pets/{petId}`. */
  readonly operation: string;
  /** The address with its query. */
  readonly url: string;
  /** The header fields except `Authorization`. The hook may change them, for example to add `traceparent`. */
  readonly headers: HeaderFields;
  /** 1 for the first attempt of a call. */
  readonly attempt: number;
}

/** One attempt of a call, after its end. */
export interface AttemptOutcome extends Omit<AttemptRequest, 'headers'> {
  /** The status of the response, or `undefined` if no response arrived. */
  readonly status: number | undefined;
  /** The header fields of the response, or `undefined` if no response arrived. */
  readonly headers: HeaderFields | undefined;
  /** Why the attempt failed, or `undefined` if it succeeded. The call may be retried. */
  readonly error: AnimalStoreError | undefined;
  /** The duration of the attempt in milliseconds. */
  readonly milliseconds: number;
}

/** Functions that the client calls at each attempt of a call. If one of them throws, the call rejects with what it throws. */
export interface Hooks {
  /** Called before each attempt. Its time counts for the attempt. */
  readonly onRequest?: ((request: AttemptRequest) => void | Promise<void>) | undefined;
  /** Called after each attempt, except if the signal of the call ended it. */
  readonly onResponse?: ((outcome: AttemptOutcome) => void) | undefined;
}
