import { setTimeout as delay } from 'node:timers/promises';
import { Logger, type OnModuleDestroy } from '@nestjs/common';
import {
  DatabaseHealth,
  isDatabaseUnavailable,
  PendingMigrationsError,
  rootCauseMessage,
} from '@animal-store/persistence';
import { SecretNotStoredError } from '@animal-store/persistence/secrets';
import { requestContext } from '@animal-store/http';

/**
 * The interval between two checks of the database while the service is not ready, and between two log lines about it,
 * in milliseconds.
 */
const CHECK_MS = 1_000;
const REMIND_MS = 60_000;

/** The service is not ready. Only the log contains the reason. */
export class NotReadyError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';
  readonly isLogged = true;

  constructor() {
    super('down');
  }
}

/** What was logged about a period in which the service is not ready. */
interface LoggedOutage {
  readonly since: number;
  readonly reason: string;
  readonly at: number;
}

/**
 * Whether the service can serve with the current state of the database. The log gets a line with the reason when the
 * service is no longer ready, one line a minute while that lasts, and one line when it is over, even without requests.
 */
export class Readiness implements OnModuleDestroy {
  private readonly logger = new Logger(Readiness.name);
  private readonly stopped = new AbortController();
  private logged: LoggedOutage | undefined;
  private watch: Promise<void> | undefined;

  constructor(
    private readonly database: DatabaseHealth,
    private readonly checkMs = CHECK_MS,
  ) {}

  /** @throws NotReadyError */
  async check(): Promise<void> {
    try {
      await this.database.check();
    } catch (error) {
      this.logNotReady(error);
      // Its log lines belong to no request, not even to the one that discovered the problem.
      this.watch ??= requestContext.exit(() => this.watchUntilReady());
      throw new NotReadyError();
    }
    this.logReady();
  }

  /** Checks once, only for the log. */
  async logState(): Promise<void> {
    await this.check().catch(() => undefined);
  }

  /** Resolves when no check is running: a pool that is closed during a check may never end. */
  async onModuleDestroy(): Promise<void> {
    this.stopped.abort();
    await this.watch;
  }

  private async watchUntilReady(): Promise<void> {
    const { signal } = this.stopped;
    const isOver = () => this.logged === undefined || signal.aborted;
    while (!isOver()) {
      await delay(this.checkMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (!isOver()) await this.logState();
    }
    this.watch = undefined;
  }

  private logNotReady(error: unknown): void {
    const [now, reason] = [performance.now(), sentenceOf(error)];
    if (this.logged?.reason === reason && now - this.logged.at < REMIND_MS) return;
    const since = this.logged?.since ?? now;
    this.logged = { since, reason, at: now };
    this.logger.warn(`Not ready${now > since ? ` for ${secondsBetween(since, now)} s` : ''}: ${reason}`);
  }

  private logReady(): void {
    if (this.logged === undefined) return;
    this.logger.log(`Ready, after ${secondsBetween(this.logged.since, performance.now())} s in which it was not`);
    this.logged = undefined;
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof PendingMigrationsError) return `${error.message}; no restart is needed`;
  const reason = rootCauseMessage(error);
  if (error instanceof SecretNotStoredError)
    return `The secret ${error.secret} is not stored yet, and cannot be stored: ${reason}. No restart is needed when it can`;
  return isDatabaseUnavailable(error)
    ? `The database is away: ${reason}. No restart is needed when it is back`
    : reason;
}

function secondsBetween(from: number, to: number): number {
  return Math.round((to - from) / 1000);
}
