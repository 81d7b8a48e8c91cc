import type { Cancellation } from '@animal-store/kernel';
import { isDatabaseUnavailable, isRetryable, MAX_ATTEMPTS } from '../errors/database-errors.js';
import { unavailability, AbandonedError, OverloadedError } from '../errors/unavailability.js';
import type { BatchingLimits } from './batching-limits.js';

/** Connects the traces of calls with the statements that they share. The implementation defines what a trace is. */
export interface BatchTracing<Origin = unknown> {
  /** The trace of the current call; read when the call arrives. */
  origin(): Origin;
  /** Runs a statement in a trace that refers to these traces. */
  trace<Result>(origins: readonly Origin[], statement: () => Promise<Result>): Promise<Result>;
}

/** The measurements and the tracing of a batcher. Values are computed when they are read, so they cost calls nothing. */
export interface BatcherStats {
  /** The number of calls that wait for a statement. */
  readonly waiting: number;
  /** The number of statements in flight. */
  readonly inFlight: number;
  /** The age of the oldest unsettled call, in milliseconds; 0 if there is none. */
  readonly oldestCallMs: number;
  /** Set if batches are traced. Otherwise it costs each call one comparison. */
  tracing: BatchTracing | undefined;
  /** Set if batches are measured: called with the number of calls of each statement. */
  onBatch: ((calls: number) => void) | undefined;
}

export interface BatcherOptions<Call, Result> extends BatchingLimits {
  /** Serves many calls by one statement. Resolves to one result for each call, in the same order, or rejects for all calls. */
  readonly run: (calls: readonly Call[]) => Promise<readonly Result[]>;
  /** Whether the statement writes. If its connection is lost, a write may have been committed, so its outcome is unknown. */
  readonly writes: boolean;
}

interface PendingCall<Call, Result> {
  readonly call: Call;
  readonly signal: Cancellation | undefined;
  /** `performance.now()` when the call arrived. */
  readonly since: number;
  /** The trace of the call; `undefined` unless batches are traced. */
  readonly origin: unknown;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Serves many calls by one statement.
 *
 * **A call is served only by a statement that starts after the call arrived**, never by a statement in flight. So its result
 * includes everything that was acknowledged before the call, as if it had its own statement (linearizability).
 *
 * If no statement is in flight, the calls of a turn of the event loop are sent at the end of the turn, or earlier when they reach
 * `flushThreshold`. While statements are in flight, calls wait for the next statement. Another is sent beside them if
 * `overlapThreshold` calls wait, or one has waited for `patienceMs`. After a slow statement, the next one may wait a few turns
 * (`lingerTurns`), because clients that got a response often send a new request.
 */
export class Batcher<Call, Result> implements BatcherStats {
  tracing: BatchTracing | undefined;
  onBatch: ((calls: number) => void) | undefined;
  private readonly queue: PendingCall<Call, Result>[] = [];
  /**
   * The batches in flight, each with its calls in the order of their arrival. An array and not a `Set`: V8 keeps discarded tables
   * of a `Set` alive among old objects, and so the batches in them, 3 MB at each collection of young objects. That would cost
   * 3.1 of 23 µs per get (docs/performance.md).
   */
  private readonly sent: (readonly PendingCall<Call, Result>[])[] = [];
  private inFlightCount = 0;
  private isFlushScheduled = false;
  private isTimerSet = false;

  constructor(private readonly options: BatcherOptions<Call, Result>) {}

  get waiting(): number {
    return this.queue.length;
  }

  get inFlight(): number {
    return this.inFlightCount;
  }

  get oldestCallMs(): number {
    const now = performance.now();
    const unsettled = [this.queue, ...this.sent];
    return Math.max(...unsettled.map(([oldest]) => now - (oldest?.since ?? now)));
  }

  /**
   * @param signal checked just before the statement is sent
   * @throws OverloadedError if too many calls wait (at once), or if this call has waited too long
   * @throws AbandonedError if `signal` is aborted
   * @throws DatabaseUnavailableError, UnknownOutcomeError, or the error of the database for this call
   */
  submit(call: Call, signal?: Cancellation): Promise<Result> {
    if (this.queue.length >= this.options.maxQueue) return Promise.reject(new OverloadedError());
    return new Promise((resolve, reject) => {
      const origin = this.tracing?.origin();
      this.queue.push({ call, signal, since: performance.now(), origin, resolve, reject });
      if (this.inFlightCount === 0 && this.queue.length >= this.options.flushThreshold) this.send(this.nextBatch());
      else this.scheduleFlush();
    });
  }

  /** Sends the waiting calls at the end of this turn of the event loop, up to `maxInFlight` statements. */
  private scheduleFlush(): void {
    if (this.isFlushScheduled || this.inFlightCount >= this.options.maxInFlight) return;
    this.isFlushScheduled = true;
    setImmediate(() => {
      this.isFlushScheduled = false;
      this.flush();
    });
  }

  /** Sends the waiting calls as far as allowed. Those that wait for a statement in flight are looked at again in time. */
  private flush(): void {
    while (this.queue.length > 0 && this.inFlightCount < this.options.maxInFlight) {
      const patience = this.patienceLeftMs();
      if (patience > 0) {
        this.flushAfter(patience);
        return;
      }
      this.send(this.nextBatch());
    }
  }

  /** How long the waiting calls still wait for a statement in flight, in milliseconds. */
  private patienceLeftMs(): number {
    const [oldest] = this.queue;
    const { overlapThreshold, patienceMs } = this.options;
    if (oldest === undefined || this.inFlightCount === 0 || this.queue.length >= overlapThreshold) return 0;
    return oldest.since + patienceMs - performance.now();
  }

  /** A timer that is already set ends earlier: it was set for an older call. */
  private flushAfter(milliseconds: number): void {
    if (this.isTimerSet) return;
    this.isTimerSet = true;
    setTimeout(() => {
      this.isTimerSet = false;
      this.flush();
    }, milliseconds);
  }

  /** Takes the next calls from the queue, and rejects those that are no longer to be served. */
  private nextBatch(): PendingCall<Call, Result>[] {
    const earliest = performance.now() - this.options.maxWaitMs;
    const batch: PendingCall<Call, Result>[] = [];
    for (const pending of this.queue.splice(0, this.options.maxBatch)) {
      if (pending.signal?.aborted === true) pending.reject(new AbandonedError());
      else if (pending.since < earliest) pending.reject(new OverloadedError());
      else batch.push(pending);
    }
    return batch;
  }

  private send(batch: readonly PendingCall<Call, Result>[]): void {
    if (batch.length === 0) return;
    this.inFlightCount += 1;
    this.onBatch?.(batch.length);
    this.sent.push(batch);
    const sentAt = performance.now();
    void this.serve(batch).finally(() => {
      this.sent.splice(this.sent.indexOf(batch), 1);
      const { lingerTurns, lingerAfterMs } = this.options;
      this.linger(performance.now() - sentAt < lingerAfterMs ? 0 : lingerTurns);
    });
  }

  /** Delays the next statement as long as every turn of the event loop brings more calls, for at most `turns` turns. */
  private linger(turns: number, waitingBefore = -1): void {
    const waiting = this.queue.length;
    if (turns > 0 && waiting > waitingBefore && waiting < this.options.maxBatch) {
      setImmediate(() => {
        this.linger(turns - 1, waiting);
      });
      return;
    }
    this.inFlightCount -= 1;
    if (waiting > 0) this.scheduleFlush();
  }

  private run(batch: readonly PendingCall<Call, Result>[]): Promise<readonly Result[]> {
    const calls = batch.map(({ call }) => call);
    const { tracing } = this;
    if (tracing === undefined) return this.options.run(calls);
    return tracing.trace(
      batch.map(({ origin }) => origin),
      () => this.options.run(calls),
    );
  }

  /** Settles every call of the batch; never rejects. */
  private async serve(batch: readonly PendingCall<Call, Result>[], attempt = 1): Promise<void> {
    try {
      const results = await this.run(batch);
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result);
      });
    } catch (error) {
      if (isDatabaseUnavailable(error)) {
        const failure = unavailability(error, this.options);
        for (const { reject } of batch) reject(failure);
      } else if (isRetryable(error) && attempt < MAX_ATTEMPTS) {
        await this.serve(batch, attempt + 1);
      } else if (batch.length === 1) {
        batch[0]?.reject(error);
      } else {
        // The database refused the whole statement, which had no effect. Each call alone shows which one was wrong.
        for (const pending of batch) await this.serve([pending]);
      }
    }
  }
}
