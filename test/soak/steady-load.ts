import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '../support/seeded-random.js';

/** A kind of call that clients make now and then. */
export interface Habit {
  readonly name: string;
  /** How many calls of a thousand. */
  readonly share: number;
  /** Makes the call. Resolves with what was unexpected, or with `undefined`; a rejection is unexpected as well. */
  readonly act: () => Promise<string | undefined>;
}

/** What was unexpected, and how often it occurred. */
type Surprises = ReadonlyMap<string, number>;

/** The interval at which the calls that are due are sent, in milliseconds. */
const TURN_MS = 10;

/** The maximum number of concurrent calls. Beyond this number, the machine or the service is far behind. */
const MOST_UNDER_WAY = 2_000;

/**
 * Sends calls at a constant rate, whether or not answers arrive. A client that waits for an answer before the next request sends less when
 * the service is slow, and so hides how slow the service is.
 */
export class SteadyLoad {
  readonly counts = new Map<string, number>();
  readonly surprises: Surprises;
  private readonly seen = new Map<string, number>();
  private readonly habits: readonly Habit[];
  private readonly underWay = new Set<Promise<void>>();
  private readonly sending: Promise<void>;
  private stopped = false;

  /** @param perSecond the number of calls per second */
  constructor(
    habits: readonly Habit[],
    private readonly perSecond: number,
    private readonly random: SeededRandom,
  ) {
    this.surprises = this.seen;
    this.habits = habits.flatMap((habit) => Array.from({ length: habit.share }, () => habit));
    this.sending = this.send();
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Resolves when the last answer has arrived. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.sending;
    await Promise.all(this.underWay);
  }

  private async send(): Promise<void> {
    const beginning = performance.now();
    let sent = 0;
    while (!this.stopped) {
      for (let due = this.dueAt(beginning, sent); due <= performance.now(); due = this.dueAt(beginning, ++sent)) {
        if (this.underWay.size >= MOST_UNDER_WAY) this.note(`More than ${MOST_UNDER_WAY} calls are under way`);
        else this.start(this.random.of(this.habits));
      }
      await delay(TURN_MS);
    }
  }

  private dueAt(beginning: number, number: number): number {
    return beginning + (number * 1_000) / this.perSecond;
  }

  private start(habit: Habit): void {
    const acting = this.act(habit).finally(() => {
      this.underWay.delete(acting);
    });
    this.underWay.add(acting);
  }

  private async act({ name, act }: Habit): Promise<void> {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    try {
      const surprise = await act();
      if (surprise !== undefined) this.note(`${name}: ${surprise}`);
    } catch (error) {
      this.note(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private note(surprise: string): void {
    this.seen.set(surprise, (this.seen.get(surprise) ?? 0) + 1);
  }
}
