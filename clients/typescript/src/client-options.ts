import type { CallOptions } from './call.js';
import type { DeprecationNotice } from './deprecations.js';

export interface ClientOptions {
  /** The address of the service, for example `https://api.animal-store.example/v1`. `/v1` is optional. */
  readonly baseUrl: string | URL;
  readonly apiKey: string;
  /** The time limit of a call in milliseconds, including its retries and the waits between them. Default 60 000. */
  readonly timeout?: number | undefined;
  /** The time limit of one attempt in milliseconds. Default 15 000. */
  readonly attemptTimeout?: number | undefined;
  /** The maximum number of retries of a call. Default 3. */
  readonly retries?: number | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /**
   * Called once for each operation that the service announces as deprecated. If this function throws, the call throws the same
   * error. Default: a warning on the console.
   */
  readonly onDeprecation?: ((notice: DeprecationNotice) => void) | undefined;
}

/** The limits of one call. */
export interface Limits {
  readonly timeout: number;
  readonly attemptTimeout: number;
  readonly retries: number;
}

const DEFAULTS: Limits = { timeout: 60_000, attemptTimeout: 15_000, retries: 3 };

export function limitsOf(client: ClientOptions, call: CallOptions): Limits {
  const limit = (name: keyof Limits) => call[name] ?? client[name] ?? DEFAULTS[name];
  return { timeout: limit('timeout'), attemptTimeout: limit('attemptTimeout'), retries: limit('retries') };
}

/** The address to which the paths of the operations are appended. In a browser it may be relative. @throws TypeError */
export function baseOf({ baseUrl }: ClientOptions): string {
  const page = (globalThis as { location?: { href: string } }).location?.href;
  const url = new URL(baseUrl, page);
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (path.endsWith('/v1') ? path : `${path}/v1`);
}

/** @throws TypeError if a header field cannot carry the key, or if the key would add anything else to the header field */
export function authorizationOf({ apiKey }: ClientOptions): string {
  if (!/^[!-~]+$/.test(apiKey)) throw new TypeError('apiKey must be visible ASCII characters');
  return `Bearer ${apiKey}`;
}
