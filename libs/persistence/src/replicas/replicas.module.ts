import { MikroORM } from '@mikro-orm/postgresql';
import { Module, type DynamicModule } from '@nestjs/common';
import type { DatabaseSettings } from '../database-settings.js';
import { readDatabaseUrl } from '../database-url/database-url.js';
import { replicaOptions } from '../mikro-orm.config.js';
import { PoolSqlExecutor } from '../sql/pool-sql-executor.js';
import { ReadSqlExecutor, SqlExecutor } from '../sql/sql-executor.js';
import { ReplicaSqlExecutor } from './replica-sql-executor.js';
import { Replica, ReplicaWatch } from './replica-watch.js';

/** The default port of PostgreSQL. */
const DEFAULT_PORT = '5432';

/** Sends read-only statements to the replicas, or to the primary if there are no replicas. */
@Module({})
export class ReplicasModule {
  static forRoot(settings: DatabaseSettings): DynamicModule {
    const { replicaUrls = [] } = settings;
    if (replicaUrls.length === 0) {
      const providers = [{ provide: ReadSqlExecutor, useExisting: SqlExecutor }];
      return { module: ReplicasModule, providers, exports: [ReadSqlExecutor] };
    }
    return {
      module: ReplicasModule,
      providers: [
        {
          provide: ReplicaWatch,
          useFactory: (primary: SqlExecutor) =>
            new ReplicaWatch(
              primary,
              replicaUrls.map((url) => connect(url, settings)),
            ),
          inject: [SqlExecutor],
        },
        { provide: ReadSqlExecutor, useClass: ReplicaSqlExecutor },
      ],
      exports: [ReadSqlExecutor, ReplicaWatch],
    };
  }
}

/** No connection is made before the first statement. */
function connect(url: string, settings: DatabaseSettings): Replica {
  const { poolSize, preparedStatements } = settings;
  const orm = new MikroORM(replicaOptions(url, poolSize, preparedStatements));
  return new Replica(hostAndPort(url), new PoolSqlExecutor(orm.em, settings), () => orm.close());
}

function hostAndPort(url: string): string {
  const { host, port } = readDatabaseUrl(url);
  return `${host}:${port === '' ? DEFAULT_PORT : port}`;
}
