import type { FailedCall } from './errors.js';
import { rateLimitOf, type RateLimit } from './header-fields.js';
import type { HeaderFields } from './platform.js';

/** The response that a result or an error came from. */
export interface ResponseInfo {
  /** Identifies the call in the log of the service. */
  readonly requestId: string;
  /** The status, for example 201. It is 304 for a result that is still current. */
  readonly status: number;
  /** The header fields. In a browser only those that the service shows to pages of other origins. */
  readonly headers: HeaderFields;
  /** The number of attempts of the call. */
  readonly attempts: number;
  /** The rate limit of the API key, or `undefined` if there is none. */
  readonly rateLimit: RateLimit | undefined;
}

const INFOS = new WeakMap<object, ResponseInfo>();

/**
 * The response that an animal, a page or an error came from: `responseOf(animal)?.requestId`. For a result that was revalidated
 * it is the newest response. `undefined` for a copy of a result, and for an error without a response.
 */
export function responseOf(result: object): ResponseInfo | undefined {
  return INFOS.get(result);
}

/** Lets {@link responseOf} find the response of this result or error. */
export function remember(
  result: object,
  response: Pick<ResponseInfo, 'status' | 'headers'>,
  { requestId, attempts }: FailedCall,
): void {
  const { status, headers } = response;
  INFOS.set(result, { requestId, attempts, status, headers, rateLimit: rateLimitOf(headers) });
}
