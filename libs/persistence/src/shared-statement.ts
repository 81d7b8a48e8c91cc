import { AsyncLocalStorage } from 'node:async_hooks';
import { isDatabaseUnavailable, isRetryable, MAX_ATTEMPTS } from './errors/database-errors.js';
import { asUnavailable, onDatabase, OverloadedError } from './errors/translate-database-error.js';

/** The maximum number of calls in one statement. */
const MAX_CALLS = 256;

/** The maximum number of waiting calls. More are refused. */
const MAX_WAITING = 10_000;

/** How long a call may wait for its statement to be sent, in milliseconds. Then it is refused. */
const MAX_WAIT_MS = 5_000;

interface WaitingCall<Call, Result> {
  readonly call: Call;
  /** `performance.now()` when the call arrived. */
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Serves calls that arrive together by one statement, **which starts after all of them arrived**. So each result includes
 * everything that was acknowledged before its call, as if the call had its own statement (linearizability). The calls of a turn
 * of the event loop are sent at its end; while a statement is in flight, calls wait for the next one (ADR 0006).
 */
export class SharedStatement<Call, Result> {
  /** Oldest first. */
  private readonly queue: WaitingCall<Call, Result>[] = [];
  private isBusy = false;
  private timer: NodeJS.Timeout | undefined;
  private readonly detached = AsyncLocalStorage.snapshot();

  /**
   * @param run serves all calls by one statement, and resolves to one result for each, in their order
   * @param writes whether the statement writes: if its connection is lost, its outcome is unknown
   */
  constructor(
    private readonly run: (calls: readonly Call[]) => Promise<readonly Result[]>,
    private readonly writes = false,
  ) {}

  get waiting(): number {
    return this.queue.length;
  }

  /**
   * @throws OverloadedError if too many calls wait, or if this one has waited too long
   * @throws DatabaseUnavailableError, UnknownOutcomeError, or the error of the database for this call
   */
  submit(call: Call): Promise<Result> {
    if (this.queue.length >= MAX_WAITING) return Promise.reject(new OverloadedError());
    return new Promise((resolve, reject) => {
      this.queue.push({ call, since: performance.now(), resolve, reject });
      this.timer ??= setTimeout(this.refuseOld, MAX_WAIT_MS).unref();
      this.sendSoon();
    });
  }

  /** Serves a call by a statement of its own, at once: inside a transaction, whose changes others do not see. */
  async runAlone(call: Call): Promise<Result> {
    const [result] = await onDatabase(() => this.run([call]));
    return result as Result;
  }

  /** Refuses the calls that have waited too long, also while a statement hangs. */
  private readonly refuseOld = (): void => {
    const latest = performance.now() - MAX_WAIT_MS;
    const kept = this.queue.findIndex(({ since }) => since > latest);
    for (const { reject } of this.queue.splice(0, kept === -1 ? Infinity : kept)) reject(new OverloadedError());
    const [oldest] = this.queue;
    this.timer = oldest && setTimeout(this.refuseOld, Math.ceil(oldest.since - latest)).unref();
  };

  private sendSoon(): void {
    if (this.isBusy || this.queue.length === 0) return;
    this.isBusy = true;
    // Outside of the request of the first call: the statement is for all.
    this.detached(() => setImmediate(() => void this.sendNext()));
  }

  private async sendNext(): Promise<void> {
    const calls = this.queue.splice(0, MAX_CALLS);
    // All of them may just have been refused, because they had waited too long.
    if (calls.length > 0) await this.serve(calls);
    this.isBusy = false;
    this.sendSoon();
  }

  private async serve(calls: readonly WaitingCall<Call, Result>[], attempt = 1): Promise<void> {
    try {
      const results = await this.run(calls.map(({ call }) => call));
      for (const [index, { resolve }] of calls.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (isRetryable(error) && attempt < MAX_ATTEMPTS) await this.serve(calls, attempt + 1);
      else if (calls.length === 1 || isDatabaseUnavailable(error))
        for (const { reject } of calls) reject(asUnavailable(error, this.writes));
      // The database refused the whole statement, which had no effect. Each call alone shows which one was wrong.
      else for (const call of calls) await this.serve([call]);
    }
  }
}
