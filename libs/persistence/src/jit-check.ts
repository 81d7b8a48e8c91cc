import { setTimeout as delay } from 'node:timers/promises';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { isDatabaseUnavailable } from './errors/database-errors.js';
import { toBoolean, type Statement, type SqlExecutor } from './sql/sql-executor.js';

/** False if PostgreSQL has no JIT compiler, or if the session does not use it (manual, "Session Information Functions"). */
const USES_JIT: Statement = { name: 'uses_jit', text: 'select pg_jit_available(), quote_ident(session_user)' };

const RETRY_MS = 5_000;

/**
 * Logs one warning if PostgreSQL compiles the statements of the service (JIT). Direct connections turn JIT off when they start.
 * PgBouncer does not pass that setting on, so the settings of the role must turn it off.
 *
 * The check runs in the background, so it does not delay the start. It is repeated while the database is unavailable.
 */
export class JitCheck implements OnApplicationBootstrap, OnModuleDestroy {
  /** Resolves after the check, or when the service stops. */
  checked: Promise<void> = Promise.resolve();
  private readonly logger = new Logger(JitCheck.name);
  private readonly stopped = new AbortController();

  constructor(
    private readonly executor: SqlExecutor,
    private readonly retryMs = RETRY_MS,
  ) {}

  onApplicationBootstrap(): void {
    this.checked = this.check();
  }

  /** Resolves when no statement is in flight. A pool that is closed during a statement may never end. */
  async onModuleDestroy(): Promise<void> {
    this.stopped.abort();
    await this.checked;
  }

  /** Never rejects. */
  private async check(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      try {
        await this.ask();
        return;
      } catch (error) {
        // Other errors would occur again, so the check is not repeated.
        if (!isDatabaseUnavailable(error)) return;
      }
      await delay(this.retryMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async ask(): Promise<void> {
    const [row] = await this.executor.run(USES_JIT, []);
    if (!toBoolean(row?.[0])) return;
    this.logger.warn(
      'PostgreSQL compiles the statements of this service (jit is on), which makes lists of a large catalogue many times ' +
        `slower. Turn it off: alter role ${String(row?.[1])} set jit = off; then open the connections anew (docs/operations.md)`,
    );
  }
}
