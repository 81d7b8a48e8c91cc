import { faultsOfError } from '../support/error-body.js';
import type { Received } from '../support/exchange.js';

/**
 * How a request can fail that should have succeeded: the service refuses it with 503, the balancer refuses it because no instance is up, or
 * the connection is lost. Every other failure is wrong, whatever the fault.
 */
export type Failure = 'refused addition' | 'refused read' | 'refused by the balancer' | 'lost' | 'wrong';

/** A request that failed. Times are those of `performance.now()`, in milliseconds. */
export interface FailedRequest {
  readonly failure: Failure;
  readonly sentAt: number;
  readonly endedAt: number;
  readonly what: string;
}

/** A period in which some failures have a cause. */
export interface Excuse {
  readonly fault: string;
  readonly failures: readonly Failure[];
  readonly from: number;
  /** When the cause was gone; `Infinity` until then. */
  until: number;
}

/** How long a request may still fail after the cause is gone, in milliseconds. */
export const RECOVERY_BOUND_MS = 5_000;

/** The kind of failure of an unexpected answer. */
export function failureOf({ status, headers, text }: Received, adds: boolean): Failure {
  const isBalancers = [502, 503, 504].includes(status) && headers.get('content-type') === 'text/html';
  if (isBalancers && headers.get('x-request-id') === null) return 'refused by the balancer';
  const isRefusal = status === 503 && faultsOfError({ status, headers }, text).length === 0;
  if (!isRefusal || headers.get('retry-after') === null) return 'wrong';
  return adds ? 'refused addition' : 'refused read';
}

/** Whether the service said that it may have carried out the request before it lost the database. */
export function isUncertain({ text }: Received): boolean {
  return text.includes('may or may not');
}

/** The failed requests that no excuse explains. */
export function unexplained(failed: readonly FailedRequest[], excuses: readonly Excuse[]): FailedRequest[] {
  return failed.filter(({ failure, endedAt }) =>
    excuses.every(
      ({ failures, from, until }) =>
        !failures.includes(failure) || endedAt < from || endedAt > until + RECOVERY_BOUND_MS,
    ),
  );
}
