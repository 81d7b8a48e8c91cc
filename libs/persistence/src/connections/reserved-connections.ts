import { MikroORM as Orm } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import type { SqlEntityManager } from '@mikro-orm/sql';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { DatabaseErrorCounts } from '../errors/database-errors.js';
import type { DatabaseSettings } from '../database-settings.js';
import { reservedOptions, withPool } from '../mikro-orm.config.js';
import { migratorOf } from '../migrator/migrator.js';
import { PoolSqlExecutor } from '../sql/pool-sql-executor.js';
import { PoolMonitor } from './pool-monitor.js';
import type { SqlExecutor } from '../sql/sql-executor.js';

/**
 * A few connections to the server in addition to the pool, for lookups of API keys and health checks. So these do not wait
 * behind other requests. The embedded database has only one connection, which is used for them too.
 */
export class ReservedConnections implements OnApplicationShutdown {
  private constructor(
    readonly orm: Orm,
    readonly executor: SqlExecutor,
    private readonly close: () => Promise<void>,
  ) {}

  /** No connection is made before the first statement. */
  static of(settings: DatabaseSettings, embedded: Orm, errors: DatabaseErrorCounts): ReservedConnections {
    const { url, preparedStatements, migrations } = settings;
    if (url === undefined) {
      const statements = new PoolSqlExecutor(embedded.em as SqlEntityManager, settings, errors);
      return new ReservedConnections(embedded, statements, () => Promise.resolve());
    }
    const monitor = new PoolMonitor(errors);
    const orm = new MikroORM({
      ...withPool(reservedOptions(url, preparedStatements), monitor),
      extensions: [migratorOf(migrations)],
    });
    return new ReservedConnections(orm, new PoolSqlExecutor(orm.em, settings, errors), () => orm.close());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }
}
