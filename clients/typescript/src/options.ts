import type { AnimalStoreError } from './errors.js';

/** The options of a client and of one call. Those of a call replace those of the client. */
export interface CallOptions {
  /** Ends the call, which then rejects with an AbortedError. */
  readonly signal?: AbortSignal | undefined;
  /** The time limit of a call in milliseconds, including its retries and the waits between them. Default 120 000. */
  readonly timeout?: number | undefined;
  /** The time limit of one attempt in milliseconds. Default 15 000. */
  readonly attemptTimeout?: number | undefined;
  /** The maximum number of retries of a call. Default 9: they outlast a restart of the service. */
  readonly retries?: number | undefined;
  /** Header fields. Those of a call are added to those of the client. `Authorization` is always the API key. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The options of a call that adds a resource. */
export interface CreateOptions extends CallOptions {
  /** Identifies this addition: a request with the same key within 24 hours adds nothing again. Default: a new key. */
  readonly idempotencyKey?: string | undefined;
}

/** The options of a client. */
export interface ClientOptions extends Omit<CallOptions, 'signal'> {
  /** The address of the service, for example `https://api.animal-store.example/v1`. `/v1` is optional. */
  readonly baseUrl: string | URL;
  /** The API key, or a function that returns it. The function is called for each attempt, so keys can be rotated. */
  readonly apiKey: string | (() => string | Promise<string>);
  /** Replaces the global `fetch`, for example to use a proxy. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Called before each attempt. Its time counts for the attempt. If it throws, the call rejects with an AbortedError. */
  readonly onRequest?: ((request: AttemptRequest) => void | Promise<void>) | undefined;
  /** Called after each attempt, except if the signal of the call ended it. If it throws, the call rejects likewise. */
  readonly onResponse?: ((outcome: AttemptOutcome) => void) | undefined;
  /** Called once for each operation that the service announces as deprecated. Default: a warning on the console. */
  readonly onDeprecation?: ((message: string) => void) | undefined;
}

/** One attempt of a call, before it is sent. */
export interface AttemptRequest {
  /** The operation as in the OpenAPI document, for example `GET /pets/{petId}`. */
  readonly operation: string;
  /** The address with its query. */
  readonly url: string;
  /** The header fields except `Authorization`. The hook may change them, for example to add `traceparent`. */
  readonly headers: Headers;
  /** 1 for the first attempt of a call. */
  readonly attempt: number;
}

/** One attempt of a call, after its end. */
export interface AttemptOutcome extends Omit<AttemptRequest, 'headers'> {
  /** Identifies the call in the log of the service. */
  readonly requestId: string;
  /** The status of the response, or `undefined` if no response arrived. */
  readonly status: number | undefined;
  /** The header fields of the response, or `undefined` if no response arrived. A browser shows those that the service exposes. */
  readonly headers: Headers | undefined;
  /** Why the attempt failed, or `undefined` if it succeeded. The call may be retried. */
  readonly error: AnimalStoreError | undefined;
  /** The duration of the attempt in milliseconds. */
  readonly milliseconds: number;
}

/** The limits of one call. */
export interface Limits {
  readonly timeout: number;
  readonly attemptTimeout: number;
  readonly retries: number;
}

/**
 * The time of a call is above the minute of a rate limit: a call that got a 429 can wait for its `Retry-After`. The waits before
 * the retries are 12 s at least, and a restart refuses connections for some seconds.
 */
const DEFAULTS: Limits = { timeout: 120_000, attemptTimeout: 15_000, retries: 9 };

export function limitsOf(client: CallOptions, call: CallOptions): Limits {
  const limit = (name: keyof Limits) => call[name] ?? client[name] ?? DEFAULTS[name];
  return { timeout: limit('timeout'), attemptTimeout: limit('attemptTimeout'), retries: limit('retries') };
}

/** The address to which the paths of the operations are appended. @throws TypeError if it is no address of HTTP */
export function baseOf(baseUrl: string | URL | undefined): string {
  const address = String(baseUrl ?? '');
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
    throw new TypeError(
      'baseUrl must be the address of the service, such as https://api.animal-store.example/v1, ' +
        (baseUrl === undefined ? 'but is missing' : `but is ${JSON.stringify(baseUrl)}`),
    );
  const { origin, pathname } = new URL(address);
  const path = pathname.replace(/\/+$/, '');
  return origin + (path.endsWith('/v1') ? path : `${path}/v1`);
}

/** @throws TypeError if a header field cannot carry the key, or if the key would add anything else to the header field */
export function authorizationOf(apiKey: unknown): string {
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey))
    throw new TypeError(
      `apiKey must be the key alone, in visible ASCII characters, or a function that returns it${apiKey === undefined ? ', but is missing' : ''}`,
    );
  return `Bearer ${apiKey}`;
}
