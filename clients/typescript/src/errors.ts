import type { components } from './generated/openapi.js';

/** The codes of the service, and those that a module of it adds. */
export type ErrorCode = components['schemas']['Error']['code'] | (string & {});

/** What is known of a call that failed. */
export interface FailedCall {
  /** Names the call in the log of the service. Quote it when you report a failure. */
  readonly requestId: string;
  /** How often it was sent. */
  readonly attempts: number;
  /** The key it was sent with, where it adds something: sent again with this key it adds nothing twice. */
  readonly idempotencyKey: string | undefined;
}

/** Why a call failed. Every error of a call is one of the four below, but for an abortion, which has the reason of the signal. */
export class AnimalStoreError extends Error implements FailedCall {
  override readonly name: string = 'AnimalStoreError';
  readonly requestId: string;
  readonly attempts: number;
  readonly idempotencyKey: string | undefined;

  constructor(message: string, { requestId, attempts, idempotencyKey }: FailedCall, cause?: unknown) {
    super(`${message} (request ${requestId})`, cause === undefined ? undefined : { cause });
    this.requestId = requestId;
    this.attempts = attempts;
    this.idempotencyKey = idempotencyKey;
  }
}

/** The service refused the call, or failed to carry it out. */
export class ApiError extends AnimalStoreError {
  override readonly name = 'ApiError';

  constructor(
    readonly code: ErrorCode,
    readonly status: number,
    message: string,
    call: FailedCall,
    /** After how many milliseconds it may be tried again, where the service says so. */
    readonly retryAfter?: number,
  ) {
    super(message, call);
  }
}

/** No answer came: the service was not reached, or the connection was lost. Whether the call was carried out is not known. */
export class NetworkError extends AnimalStoreError {
  override readonly name = 'NetworkError';
}

/** No answer came in time. Whether the call was carried out is not known. */
export class TimeoutError extends AnimalStoreError {
  override readonly name = 'TimeoutError';
}

/** What came is no answer of the service: the page of a proxy, or a body that was cut. */
export class UnreadableAnswerError extends AnimalStoreError {
  override readonly name = 'UnreadableAnswerError';

  constructor(
    message: string,
    readonly status: number,
    call: FailedCall,
    cause?: unknown,
  ) {
    super(message, call, cause);
  }
}
