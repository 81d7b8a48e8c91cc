import { MikroORM } from '@mikro-orm/postgresql';
import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { DatabaseSettings } from '../database-settings.js';
import { isDatabaseUnavailable, rootCauseMessage } from '../errors/database-errors.js';
import { readOptions } from '../mikro-orm.config.js';
import { PoolSqlExecutor } from './pool-sql-executor.js';
import { ReadSqlExecutor, type Parameter, type Row, type SqlExecutor, type Statement } from './sql-executor.js';

/** How long the address of reads is left alone after it could not be reached, in milliseconds. */
const REST_MS = 1_000;

/** Sends reads to an address of their own, and to the primary while that cannot be reached (ADR 0010). */
export class FallbackSqlExecutor extends ReadSqlExecutor implements OnApplicationShutdown {
  private readonly logger = new Logger(FallbackSqlExecutor.name);
  /** Until when all reads go to the primary (`performance.now()`). */
  private restsUntil = -Infinity;

  /** @param close closes the connections of `reads` */
  constructor(
    private readonly primary: SqlExecutor,
    private readonly reads: SqlExecutor,
    private readonly close: () => Promise<void> = () => Promise.resolve(),
  ) {
    super();
  }

  /** No connection is made before the first statement. */
  static of(url: string, settings: DatabaseSettings, primary: SqlExecutor): FallbackSqlExecutor {
    const orm = new MikroORM(readOptions(url, settings.poolSize, settings.preparedStatements));
    return new FallbackSqlExecutor(primary, new PoolSqlExecutor(orm.em, settings), () => orm.close());
  }

  override async run(statement: Statement, values: readonly Parameter[]): Promise<readonly Row[]> {
    if (performance.now() < this.restsUntil) return await this.primary.run(statement, values);
    try {
      return await this.reads.run(statement, values);
    } catch (error) {
      // After any error, because a standby may cancel reads and gets migrations late.
      if (isDatabaseUnavailable(error)) this.rest(error);
      return await this.primary.run(statement, values);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }

  private rest(error: unknown): void {
    const now = performance.now();
    if (now < this.restsUntil) return;
    this.restsUntil = now + REST_MS;
    this.logger.warn(`Reads go to the primary: DATABASE_READ_URL cannot be reached (${rootCauseMessage(error)})`);
  }
}
