import type { CallOptions } from './call.js';
import type { DeprecationNotice } from './deprecations.js';
import type { Hooks } from './hooks.js';
import type { Fetch } from './platform.js';

/** The options of a client. */
export interface ClientOptions extends Hooks {
  /** The address of the service, for example `https://api.animal-store.example/v1`. `/v1` is optional. */
  readonly baseUrl: string | { readonly href: string };
  /** The API key, or a function that returns it. The function is called for each attempt, so keys can be rotated. */
  readonly apiKey: string | (() => string | Promise<string>);
  /** The time limit of a call in milliseconds, including its retries and the waits between them. Default 60 000. */
  readonly timeout?: number | undefined;
  /** The time limit of one attempt in milliseconds. Default 15 000. */
  readonly attemptTimeout?: number | undefined;
  /** The maximum number of retries of a call. Default 3. */
  readonly retries?: number | undefined;
  /** Header fields for every request. `Authorization` is always the API key. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Replaces the global `fetch`, for example to use a proxy. */
  readonly fetch?: Fetch | undefined;
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
  const url = new URL(typeof baseUrl === 'string' ? baseUrl : baseUrl.href, page);
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (path.endsWith('/v1') ? path : `${path}/v1`);
}

/** @throws TypeError if a header field cannot carry the key, or if the key would add anything else to the header field */
export function authorizationOf(apiKey: unknown): string {
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey))
    throw new TypeError('apiKey must be visible ASCII characters, or a function that returns them');
  return `Bearer ${apiKey}`;
}

/** The version in package.json. */
const VERSION = '1.0.0';

/** The `User-Agent`. It is `undefined` in browsers: they send their own, or ask the service whether another one is allowed. */
export function userAgent(): string | undefined {
  const platform = (globalThis as { navigator?: { userAgent?: string } }).navigator?.userAgent ?? '';
  return platform.startsWith('Mozilla') ? undefined : `animal-store-client/${VERSION} ${platform}`.trim();
}
