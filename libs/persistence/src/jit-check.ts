import { setTimeout as delay } from 'node:timers/promises';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { isDatabaseUnavailable } from './database-errors.js';
import { toBoolean, type Statement, type SqlExecutor } from './sql-executor.js';

/** PostgreSQL says no where it has no compiler, and where the session does without (manual, "Session Information Functions"). */
const USES_JIT: Statement = { name: 'uses_jit', text: 'select pg_jit_available(), quote_ident(session_user)' };

const RETRY_MS = 5_000;

/**
 * Says once in the log that PostgreSQL compiles what the service sends. Connections of its own say at their start that it
 * must not; PgBouncer keeps that from the server, and then the settings of the role must say it.
 *
 * No start waits for it: it asks in the background, and while the database is away again and again.
 */
export class JitCheck implements OnApplicationBootstrap, OnModuleDestroy {
  /** Resolves when the server was asked, or will not be any more. */
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

  /** Resolves when no question is under way: a pool that is closed under one may never end. */
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
        // Whoever refuses the question for another reason will refuse it again.
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
