import type { Cancellation } from '@animal-store/kernel';
import { isDatabaseUnavailable, isRetryable, unavailability } from '../database-errors.js';
import type { BatchTracing } from './batch-tracing.js';
import type { BatcherStats, BatchSizes } from './batcher-stats.js';
import { AbandonedError, OverloadedError } from './batching.errors.js';
import type { BatchingLimits } from './batching-limits.js';

export interface BatcherOptions<Call, Answer> extends BatchingLimits {
  /** Serves many calls by one statement: one answer for each call, in their order. Rejects for all of them at once. */
  readonly run: (calls: readonly Call[]) => Promise<readonly Answer[]>;
  /** A statement whose connection was lost may have been carried out: such a call must not be told that it failed. */
  readonly writes: boolean;
}

interface Waiting<Call, Answer> {
  readonly call: Call;
  readonly signal: Cancellation | undefined;
  /** As `performance.now()` tells the time. */
  readonly since: number;
  /** Where its trace goes on, while batches are traced. */
  readonly origin: unknown;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** How often a statement is sent at most that was ended so that another transaction could go on. It has done nothing then. */
const MAX_ATTEMPTS = 5;

/**
 * Lets calls that wait together travel together.
 *
 * **A call is only ever served by a statement that starts after the call arrived**, never by one that is under way:
 * so what it is told includes everything that was acknowledged before it, as if it had a statement of its own
 * (linearizability). There is no timer: an idle batcher sends the first call within the same turn of the event loop,
 * together with those that the turn brought along, or some of them at once where the turn brings many; while statements
 * are under way, calls gather for the next one, and when a slow one is back they may gather for the few turns in which
 * those whom it answered call again.
 */
export class Batcher<Call, Answer> implements BatcherStats {
  readonly sizes = new SizeCounts();
  tracing: BatchTracing | undefined;
  private readonly queue: Waiting<Call, Answer>[] = [];
  /**
   * The batches that are under way: the calls of each in the order in which they came. No `Set`: V8 keeps its discarded tables
   * alive among old objects, and with them the batches that they held, 3 MB at each collection of the young ones.
   */
  private readonly sent: (readonly Waiting<Call, Answer>[])[] = [];
  private inFlightCount = 0;
  private departing = false;

  constructor(private readonly options: BatcherOptions<Call, Answer>) {}

  get waiting(): number {
    return this.queue.length;
  }

  get maxQueue(): number {
    return this.options.maxQueue;
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
   * @param signal looked at just before departure
   * @throws OverloadedError at once when too many calls wait, and when this one waited too long
   * @throws AbandonedError when nobody waits for the call any more
   * @throws DatabaseUnavailableError, UnknownOutcomeError, or what the database says against this call
   */
  submit(call: Call, signal?: Cancellation): Promise<Answer> {
    if (this.queue.length >= this.options.maxQueue) return Promise.reject(new OverloadedError());
    return new Promise((resolve, reject) => {
      const origin = this.tracing?.origin();
      this.queue.push({ call, signal, since: performance.now(), origin, resolve, reject });
      if (this.inFlightCount === 0 && this.queue.length >= this.options.flushThreshold) this.send(this.nextBatch());
      else this.depart();
    });
  }

  /** At the end of this turn of the event loop, as far as statements may leave then. */
  private depart(): void {
    if (this.departing || this.inFlightCount >= this.options.maxInFlight) return;
    this.departing = true;
    setImmediate(() => {
      this.departing = false;
      while (this.queue.length > 0 && this.inFlightCount < this.options.maxInFlight) this.send(this.nextBatch());
    });
  }

  private nextBatch(): Waiting<Call, Answer>[] {
    const earliest = performance.now() - this.options.maxWaitMs;
    return this.queue.splice(0, this.options.maxBatch).filter(({ signal, since, reject }) => {
      if (signal?.aborted === true) reject(new AbandonedError());
      else if (since < earliest) reject(new OverloadedError());
      else return true;
      return false;
    });
  }

  private send(batch: readonly Waiting<Call, Answer>[]): void {
    if (batch.length === 0) return;
    this.inFlightCount += 1;
    this.sizes.add(batch.length);
    this.sent.push(batch);
    const sentAt = performance.now();
    void this.serve(batch).finally(() => {
      this.sent.splice(this.sent.indexOf(batch), 1);
      const { lingerTurns, lingerAfterMs } = this.options;
      this.gather(performance.now() - sentAt < lingerAfterMs ? 0 : lingerTurns);
    });
  }

  /** Lets the next statement wait while every turn of the event loop brings more calls. */
  private gather(turns: number, waitingBefore = -1): void {
    const waiting = this.queue.length;
    if (turns > 0 && waiting > waitingBefore && waiting < this.options.maxBatch) {
      setImmediate(() => {
        this.gather(turns - 1, waiting);
      });
      return;
    }
    this.inFlightCount -= 1;
    if (waiting > 0) this.depart();
  }

  private run(batch: readonly Waiting<Call, Answer>[]): Promise<readonly Answer[]> {
    const calls = batch.map(({ call }) => call);
    const { tracing } = this;
    if (tracing === undefined) return this.options.run(calls);
    return tracing.trace(
      batch.map(({ origin }) => origin),
      () => this.options.run(calls),
    );
  }

  /** Settles every call of the batch; never rejects. */
  private async serve(batch: readonly Waiting<Call, Answer>[], attempt = 1): Promise<void> {
    try {
      const answers = await this.run(batch);
      batch.forEach(({ resolve }, index) => {
        resolve(answers[index] as Answer);
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
        // The database refused the statement as a whole, and did nothing: whose fault it was shows when each goes alone.
        for (const waiting of batch) await this.serve([waiting]);
      }
    }
  }
}

/** Counts batches by powers of two. */
export class SizeCounts implements BatchSizes {
  readonly bounds: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
  readonly counts: number[] = new Array<number>(this.bounds.length + 1).fill(0);
  sum = 0;

  add(size: number): void {
    const index = Math.min(32 - Math.clz32(size - 1), this.bounds.length);
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sum += size;
  }
}
