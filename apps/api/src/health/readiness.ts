import { setTimeout as delay } from 'node:timers/promises';
import { Logger, type OnModuleDestroy } from '@nestjs/common';
import {
  DatabaseHealth,
  isDatabaseUnavailable,
  PendingMigrationsError,
  rootCauseMessage,
} from '@animal-store/persistence';
import { requestContext } from '@animal-store/http';
import { NotReadyError } from './not-ready.error.js';

/** How often the database is asked while it cannot serve, and after how long the log says so again, in milliseconds. */
const ASK_MS = 1_000;
const REMIND_MS = 60_000;

/** What the log was told of a time in which the service cannot serve. */
interface Told {
  readonly since: number;
  readonly reason: string;
  readonly at: number;
}

/**
 * Whether the database lets the service serve. The log gets a line when it does not any more, with the reason, one a minute
 * while that lasts, and one when it is over, whether or not somebody asks meanwhile.
 */
export class Readiness implements OnModuleDestroy {
  private readonly logger = new Logger(Readiness.name);
  private readonly stopped = new AbortController();
  private told: Told | undefined;
  private watch: Promise<void> | undefined;

  constructor(
    private readonly database: DatabaseHealth,
    private readonly askMs = ASK_MS,
  ) {}

  /** @throws NotReadyError */
  async check(): Promise<void> {
    try {
      await this.database.check();
    } catch (error) {
      this.tellNotReady(error);
      // Its lines belong to no request, not even to the one that found out.
      this.watch ??= requestContext.exit(() => this.watchUntilReady());
      throw new NotReadyError();
    }
    this.tellReady();
  }

  /** Looks once, for the log alone. */
  async tell(): Promise<void> {
    await this.check().catch(() => undefined);
  }

  /** Resolves when no question is under way: a pool that is closed under one may never end. */
  async onModuleDestroy(): Promise<void> {
    this.stopped.abort();
    await this.watch;
  }

  private async watchUntilReady(): Promise<void> {
    const { signal } = this.stopped;
    const isOver = () => this.told === undefined || signal.aborted;
    while (!isOver()) {
      await delay(this.askMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (!isOver()) await this.tell();
    }
    this.watch = undefined;
  }

  private tellNotReady(error: unknown): void {
    const [now, reason] = [performance.now(), sentenceOf(error)];
    if (this.told?.reason === reason && now - this.told.at < REMIND_MS) return;
    const since = this.told?.since ?? now;
    this.told = { since, reason, at: now };
    this.logger.warn(`Not ready${now > since ? ` for ${secondsBetween(since, now)} s` : ''}: ${reason}`);
  }

  private tellReady(): void {
    if (this.told === undefined) return;
    this.logger.log(`Ready, after ${secondsBetween(this.told.since, performance.now())} s in which it was not`);
    this.told = undefined;
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof PendingMigrationsError) return `${error.message}; no restart is needed`;
  const reason = rootCauseMessage(error);
  return isDatabaseUnavailable(error)
    ? `The database is away: ${reason}. No restart is needed when it is back`
    : reason;
}

function secondsBetween(from: number, to: number): number {
  return Math.round((to - from) / 1000);
}
