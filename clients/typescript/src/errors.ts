/** The facts about a failed call. */
export interface FailedCall {
  /** The method and the address without its query, for the message. */
  readonly target: string;
  readonly requestId: string;
  readonly attempts: number;
  readonly idempotencyKey: string | undefined;
}

/** The base class of the errors of a call: every call that was begun and failed rejects with one of the classes below. */
export class AnimalStoreError extends Error {
  /** The name of the class. */
  override readonly name: string = 'AnimalStoreError';
  /** Identifies the call in the log of the service. Quote this id when you report a failure. */
  readonly requestId: string;
  /** The number of attempts. */
  readonly attempts: number;
  /** The idempotency key of a call that adds a resource. A retry with this key does not add the resource again. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, { target, requestId, attempts, idempotencyKey }: FailedCall, cause?: unknown) {
    super(printable(`${message} (${target}, request ${requestId})`), cause === undefined ? undefined : { cause });
    this.requestId = requestId;
    this.attempts = attempts;
    this.idempotencyKey = idempotencyKey;
  }
}

/** The service refused the call, or failed to carry it out. */
export class ApiError extends AnimalStoreError {
  override readonly name = 'ApiError';
  /** What the service has against the call, for example `invalid_request`. The service may send new codes at any time. */
  readonly code: string;

  constructor(
    code: string,
    /** The status of the response. */
    readonly status: number,
    message: string,
    call: FailedCall,
    /** The wait before the next attempt in milliseconds, if the service states one. */
    readonly retryAfter?: number,
  ) {
    super(message, call);
    this.code = printable(code);
  }
}

/** No response arrived: the service was not reached, or the connection was lost. The call may have been carried out or not. */
export class NetworkError extends AnimalStoreError {
  override readonly name = 'NetworkError';
}

/** No response arrived in time. The call may have been carried out or not. */
export class TimeoutError extends AnimalStoreError {
  override readonly name = 'TimeoutError';
}

/** The calling program ended the call: by its signal, or because its `apiKey` function or a hook threw, which is the `cause`. */
export class AbortedError extends AnimalStoreError {
  override readonly name = 'AbortedError';
}

/** The response is not one of the service: it is a redirect or the page of a proxy, it was cut, or an id is missing. */
export class UnreadableResponseError extends AnimalStoreError {
  override readonly name = 'UnreadableResponseError';

  constructor(
    message: string,
    /** The status of the response. It is 0 for a redirect in a browser. */
    readonly status: number,
    call: FailedCall,
    cause?: unknown,
  ) {
    super(message, call, cause);
  }
}

/** The text without control characters and line separators, which would deceive whoever reads it in a terminal or in a log. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

/** What a thrown value says. The innermost cause says most: `fetch` itself only says that it failed. */
export function reasonOf(thrown: unknown): string {
  const { message, code, cause } = Object(thrown) as { message?: string; code?: string; cause?: unknown };
  if (cause !== undefined && cause !== null) return reasonOf(cause);
  return message === undefined || message === '' ? (code ?? String(thrown)) : message;
}
