import { faultsOfError } from '../support/error-body.js';
import type { Received } from '../support/exchange.js';

/**
 * How a request can fail that should have succeeded: refused by the service with 503, refused by the balancer that has nobody to ask, or
 * lost on its way. Everything else is wrong, whatever happens.
 */
export type Failure = 'refused addition' | 'refused read' | 'refused by the balancer' | 'lost' | 'wrong';

/** A request that failed. Times are those of `performance.now()`, in milliseconds. */
export interface FailedRequest {
  readonly failure: Failure;
  readonly sentAt: number;
  readonly endedAt: number;
  readonly what: string;
}

/** A while in which some failures have a reason. */
export interface Excuse {
  readonly fault: string;
  readonly failures: readonly Failure[];
  readonly from: number;
  /** When the reason was gone; infinite until then. */
  until: number;
}

/** How long after its reason was gone a request may still fail, in milliseconds. */
export const RECOVERY_BOUND_MS = 5_000;

/** Which failure an answer is that is not what was expected. */
export function failureOf({ status, headers, text }: Received, adds: boolean): Failure {
  const isBalancers = [502, 503, 504].includes(status) && headers.get('content-type') === 'text/html';
  if (isBalancers && headers.get('x-request-id') === null) return 'refused by the balancer';
  const isRefusal = status === 503 && faultsOfError({ status, headers }, text).length === 0;
  if (!isRefusal || headers.get('retry-after') === null) return 'wrong';
  return adds ? 'refused addition' : 'refused read';
}

/** Whether the service said that it may have done what it was asked for, before the database went away. */
export function isUncertain({ text }: Received): boolean {
  return text.includes('may or may not');
}

/** Those of the failed requests that no excuse explains. */
export function unexplained(failed: readonly FailedRequest[], excuses: readonly Excuse[]): FailedRequest[] {
  return failed.filter(({ failure, endedAt }) =>
    excuses.every(
      ({ failures, from, until }) =>
        !failures.includes(failure) || endedAt < from || endedAt > until + RECOVERY_BOUND_MS,
    ),
  );
}
