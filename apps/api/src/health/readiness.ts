import { Logger } from '@nestjs/common';
import {
  DatabaseHealth,
  isDatabaseUnavailable,
  PendingMigrationsError,
  rootCauseMessage,
} from '@animal-store/persistence';
import { SecretNotStoredError } from '@animal-store/persistence/secrets';

/** The service is not ready. Only the log contains the reason. */
export class NotReadyError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';
  readonly isLogged = true;

  constructor() {
    super('down');
  }
}

/**
 * Whether the service can serve with the current state of the database. The log gets a line with the reason when a check finds
 * that it is not ready, another line for another reason, and one line when a check finds that it is over.
 */
export class Readiness {
  private readonly logger = new Logger(Readiness.name);
  private logged: { readonly since: number; readonly reason: string } | undefined;

  constructor(private readonly database: DatabaseHealth) {}

  /** @throws NotReadyError */
  async check(): Promise<void> {
    try {
      await this.database.check();
    } catch (error) {
      this.logNotReady(reasonOf(error));
      throw new NotReadyError();
    }
    this.logReady();
  }

  /** Checks once, only for the log. */
  async logState(): Promise<void> {
    await this.check().catch(() => undefined);
  }

  private logNotReady(reason: string): void {
    if (this.logged?.reason === reason) return;
    this.logged = { since: this.logged?.since ?? performance.now(), reason };
    this.logger.warn(`Not ready: ${reason}`);
  }

  private logReady(): void {
    if (this.logged === undefined) return;
    const seconds = Math.round((performance.now() - this.logged.since) / 1000);
    this.logged = undefined;
    this.logger.log(`Ready, after ${seconds} s in which it was not`);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof PendingMigrationsError) return `${error.message}; no restart is needed`;
  const reason = rootCauseMessage(error);
  if (error instanceof SecretNotStoredError)
    return `The secret ${error.secret} is not stored yet, and cannot be stored: ${reason}. No restart is needed when it can`;
  return isDatabaseUnavailable(error)
    ? `The database is away: ${reason}. No restart is needed when it is back`
    : reason;
}
