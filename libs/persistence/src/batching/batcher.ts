import { isDatabaseUnavailable, isRetryable, MAX_ATTEMPTS } from '../errors/database-errors.js';
import { OverloadedError, unavailability } from '../errors/unavailability.js';
import type { BatchingLimits } from './batching-limits.js';

/** The measurements of a batcher. Values are computed when they are read, so they cost calls nothing. */
export interface BatcherStats {
  /** The number of calls that wait for a statement. */
  readonly waiting: number;
  /** The age of the oldest unsettled call, in milliseconds; 0 if there is none. */
  readonly oldestCallMs: number;
}

export interface BatcherOptions<Call, Result> extends BatchingLimits {
  /**
   * Serves many calls by one statement. Resolves to one result for each call, in the same order, or rejects for all calls. The
   * results may be made while they are iterated.
   */
  readonly run: (calls: readonly Call[]) => Promise<Iterable<Result>>;
  /** Whether the statement writes. If its connection is lost, a write may have been committed, so its outcome is unknown. */
  readonly writes: boolean;
  /**
   * The weight of a call, and the most that calls of one statement weigh together. A light call goes before heavy ones, see
   * `HEAVY_MS`. Without it, calls are served in their order, and only their number is bounded.
   */
  readonly weight?: { readonly of: (call: Call) => number; readonly most: number };
  /** The size of a result, in characters. Results without a size are small. */
  readonly sizeOf?: (result: Result) => number;
}

interface PendingCall<Call, Result> {
  readonly call: Call;
  /** `performance.now()` when the call arrived. */
  readonly since: number;
  /** The call with the earliest deadline is served first. */
  readonly deadline: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

type Batch<Call, Result> = readonly PendingCall<Call, Result>[];

/** How many batches may have results that wait to be handed out, beside the one whose results are. */
const MAX_READY = 1;

/**
 * How much later than its arrival the deadline of a call is, in milliseconds for each unit of its weight. A page of 20 rows so goes
 * before all pages of 100 rows that arrived less than 0.8 s before it. Pages have at most 100 rows, so none is overtaken by one that
 * arrives a second after it.
 */
const HEAVY_MS = 10;

/** The size of the results that are handed out at once, in characters. Results of the usual size fit into one portion. */
const PORTION = 256 * 1024;

/**
 * How many turns of the event loop may pass before the next portion is handed out, while each brings a further call. Node accepts
 * one connection a turn, and whoever gets a result works with it in the same turn: with one turn for each portion, a new connection
 * waited for 1.4 to 2.1 s behind 260 others that read large pages.
 */
const MAX_TURNS = 32;

/**
 * Serves many calls by one statement.
 *
 * **A call is served only by a statement that starts after the call arrived**, never by a statement in flight. So its result
 * includes everything that was acknowledged before the call, as if it had its own statement (linearizability).
 *
 * The calls of a turn of the event loop are sent at its end. While a statement is in flight, calls wait for its end, and the next
 * statement takes all of them, or those with the earliest deadlines. If a statement is slow, the next one does not wait for it, as
 * far as `maxInFlight` allows.
 */
export class Batcher<Call, Result> implements BatcherStats {
  /** The waiting calls, in the order of their deadlines. */
  private readonly queue: PendingCall<Call, Result>[] = [];
  /**
   * The batches that are not settled, oldest first. An array and not a `Set`: V8 keeps discarded tables of a `Set` alive among old
   * objects, and so the batches in them, which costs an eighth of a get.
   */
  private readonly unsettled: Batch<Call, Result>[] = [];
  /** The number of calls so far. */
  private arrived = 0;
  private sent = 0;
  /** The number of statements in flight that are slow. */
  private slow = 0;
  private isScheduled = false;
  /** Settled when all results so far have been handed out. */
  private handingOut: Promise<void> = Promise.resolve();

  constructor(private readonly options: BatcherOptions<Call, Result>) {}

  get waiting(): number {
    return this.queue.length;
  }

  get oldestCallMs(): number {
    const now = performance.now();
    return now - [this.queue, ...this.unsettled].flat().reduce((oldest, { since }) => Math.min(oldest, since), now);
  }

  /**
   * @throws OverloadedError if too many calls wait (at once), or if this call has waited too long
   * @throws DatabaseUnavailableError, UnknownOutcomeError, or the error of the database for this call
   */
  submit(call: Call): Promise<Result> {
    if (this.queue.length >= this.options.maxQueue) return Promise.reject(new OverloadedError());
    return new Promise((resolve, reject) => {
      const since = performance.now();
      const deadline = since + HEAVY_MS * (this.options.weight?.of(call) ?? 0);
      const place = this.queue.findLastIndex((other) => other.deadline <= deadline) + 1;
      this.arrived += 1;
      this.queue.splice(place, 0, { call, since, deadline, resolve, reject });
      this.sendSoon();
    });
  }

  private get mustWait(): boolean {
    const { maxInFlight } = this.options;
    return this.sent > this.slow || this.sent >= maxInFlight || this.unsettled.length - this.sent > MAX_READY;
  }

  /** Sends the waiting calls at the end of this turn of the event loop, unless they wait for a statement in flight. */
  private sendSoon(): void {
    if (this.isScheduled || this.queue.length === 0 || this.mustWait) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.sendNext();
    });
  }

  private sendNext(): void {
    if (this.queue.length === 0 || this.mustWait) return;
    const batch = this.nextBatch();
    if (batch.length > 0) void this.send(batch);
    else this.sendSoon();
  }

  /** Takes the next calls from the queue, and rejects those that have waited too long. */
  private nextBatch(): Batch<Call, Result> {
    const earliest = performance.now() - this.options.maxWaitMs;
    const next = this.queue.splice(0, this.batchSize());
    for (const { since, reject } of next) if (since < earliest) reject(new OverloadedError());
    return next.filter(({ since }) => since >= earliest);
  }

  /** How many of the waiting calls one statement takes: at least one. */
  private batchSize(): number {
    const { maxBatch, weight } = this.options;
    if (weight === undefined) return maxBatch;
    let sum = 0;
    const tooMany = this.queue.slice(0, maxBatch).findIndex(({ call }) => (sum += weight.of(call)) > weight.most);
    return tooMany === -1 ? maxBatch : Math.max(1, tooMany);
  }

  /** Settles every call of the batch; never rejects. */
  private async send(batch: Batch<Call, Result>): Promise<void> {
    this.unsettled.push(batch);
    const end = this.begin();
    const results = await this.serve(batch);
    end();
    this.handingOut = this.handingOut.then(() => this.handOut(batch, results));
    await this.handingOut;
    this.unsettled.splice(this.unsettled.indexOf(batch), 1);
    this.sendSoon();
  }

  /** Counts a statement in flight. @returns to be called at its end */
  private begin(): () => void {
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.slow += 1;
      this.sendNext();
    }, this.options.slowMs).unref();
    this.sent += 1;
    return () => {
      clearTimeout(timer);
      this.sent -= 1;
      if (isSlow) this.slow -= 1;
      // Not at once: the calls that arrive in this turn go too, and a further commit costs more than the wait for the turn's end.
      this.sendSoon();
    };
  }

  /** @returns the results; none if all calls of the batch are settled */
  private async serve(batch: Batch<Call, Result>, attempt = 1): Promise<Iterable<Result>> {
    try {
      return await this.options.run(batch.map(({ call }) => call));
    } catch (error) {
      if (isRetryable(error) && attempt < MAX_ATTEMPTS) return await this.serve(batch, attempt + 1);
      if (isDatabaseUnavailable(error)) rejectAll(batch, unavailability(error, this.options));
      else if (batch.length === 1) rejectAll(batch, error);
      // The database refused the whole statement, which had no effect. Each call alone shows which one was wrong.
      else for (const pending of batch) await this.handOut([pending], await this.serve([pending]));
      return [];
    }
  }

  private async handOut(batch: Batch<Call, Result>, results: Iterable<Result>): Promise<void> {
    const { sizeOf } = this.options;
    let [index, size] = [0, 0];
    try {
      for (const result of results) {
        batch[index]?.resolve(result);
        index += 1;
        size += sizeOf?.(result) ?? 0;
        if (size < PORTION) continue;
        size = 0;
        await this.letCallsArrive();
      }
    } catch (error) {
      rejectAll(batch.slice(index), error);
    }
  }

  /** Lets the event loop turn while each turn brings a call, see `MAX_TURNS`. */
  private async letCallsArrive(): Promise<void> {
    let before = -1;
    for (let turn = 0; turn < MAX_TURNS && this.arrived > before; turn++) {
      before = this.arrived;
      await new Promise(setImmediate);
    }
  }
}

function rejectAll(batch: Batch<unknown, never>, error: unknown): void {
  for (const { reject } of batch) reject(error);
}
