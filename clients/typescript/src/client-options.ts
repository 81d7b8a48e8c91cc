import type { CallOptions } from './call.js';
import type { DeprecationNotice } from './deprecations.js';

export interface ClientOptions {
  /** The address of the service, such as `https://api.animal-store.example/v1`; `/v1` may be left out. */
  readonly baseUrl: string | URL;
  readonly apiKey: string;
  /** Until a call fails, its retries and the waits between them included, in milliseconds. Default 60 000. */
  readonly timeout?: number | undefined;
  /** Until an attempt counts as lost, in milliseconds. Default 15 000. */
  readonly attemptTimeout?: number | undefined;
  /** How often a call is sent again at most. Default 3. */
  readonly retries?: number | undefined;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /**
   * Called once for each operation that the service says it will remove. What it throws, the call throws. Default: a warning
   * on the console.
   */
  readonly onDeprecation?: ((notice: DeprecationNotice) => void) | undefined;
}

/** The bounds of one call. */
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

/** The address that the paths of operations are appended to. In a browser it may be relative. @throws TypeError */
export function baseOf({ baseUrl }: ClientOptions): string {
  const page = (globalThis as { location?: { href: string } }).location?.href;
  const url = new URL(baseUrl, page);
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (path.endsWith('/v1') ? path : `${path}/v1`);
}

/** @throws TypeError where it can be no key: a header field would not carry it, or would carry more than that */
export function authorizationOf({ apiKey }: ClientOptions): string {
  if (!/^[!-~]+$/.test(apiKey)) throw new TypeError('apiKey must be visible ASCII characters');
  return `Bearer ${apiKey}`;
}
