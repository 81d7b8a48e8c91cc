import { EntityManager, MikroORM } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { EntityManager as PostgreSqlEntityManager, MikroORM as PostgreSqlMikroORM } from '@mikro-orm/postgresql';
import { SqlEntityManager } from '@mikro-orm/sql';
import { Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import type pg from 'pg';
import { DatabaseErrorCounts } from './errors/database-errors.js';
import { DatabaseHealth } from './database.health.js';
import { DatabaseStats } from './database.stats.js';
import type { DatabaseSettings } from './database-settings.js';
import { EmbeddedDatabase } from './embedded/embedded-database.js';
import { EmbeddedDriver } from './embedded/embedded-driver.js';
import { JitCheck } from './jit-check.js';
import { LookupConnections } from './connections/lookup-connections.js';
import { embeddedOptions, postgresOptions, withPool } from './mikro-orm.config.js';
import { migratorOf } from './migrator/migrator.js';
import { PoolMonitor } from './connections/pool-monitor.js';
import { ReplicaWatch } from './replicas/replica-watch.js';
import { ReplicasModule } from './replicas/replicas.module.js';
import { PoolSqlExecutor } from './sql/pool-sql-executor.js';
import { SqlExecutor } from './sql/sql-executor.js';
import { FairShares } from './connections/fair-shares.js';
import { RequestEntityManagers } from './transactions/request-entity-managers.js';
import { Tables } from './tables/tables.js';
import { TransactionsModule } from './transactions/transactions.module.js';

/** The options of MikroORM in Nest for both databases. */
function nestOptions(managers: RequestEntityManagers) {
  return {
    // Mappings that modules pass to `forFeature` are found without a list.
    autoLoadEntities: true,
    // A middleware would fork an entity manager for every request. `context` forks one when it is first used.
    registerRequestContext: false,
    context: (name?: string) => managers.find(name),
  };
}

/** The classes by which MikroORM's documentation injects the entity manager and the ORM, for both databases. */
const NAMES = {
  server: [{ provide: SqlEntityManager, useExisting: EntityManager }],
  embedded: [
    { provide: SqlEntityManager, useExisting: EntityManager },
    { provide: PostgreSqlEntityManager, useExisting: EntityManager },
    { provide: PostgreSqlMikroORM, useExisting: MikroORM },
  ],
} as const;

/** The connection to the database, for all modules. */
@Module({})
export class DatabaseModule {
  static async forRoot(settings: DatabaseSettings): Promise<DynamicModule> {
    const managers = new RequestEntityManagers(settings.requests);
    const names = settings.url === undefined ? NAMES.embedded : NAMES.server;
    const errors = new DatabaseErrorCounts();
    const watch = new PoolMonitor(errors);
    const shares = new FairShares(settings.poolSize, settings.requests);
    const onPoolCreated = (pool: pg.Pool) => {
      watch.watch(pool, shares);
    };
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        settings.url === undefined
          ? await EmbeddedDatabaseModule.forRoot(settings, managers)
          : await MikroOrmModule.forRoot({
              ...withPool(postgresOptions(settings.url, settings.poolSize, settings.preparedStatements), onPoolCreated),
              ...nestOptions(managers),
              extensions: [migratorOf(settings.migrations)],
            }),
        ReplicasModule.forRoot(settings),
        TransactionsModule.forRoot(settings),
      ],
      providers: [
        ...names,
        {
          provide: RequestEntityManagers,
          useFactory: (em: SqlEntityManager) => managers.forkFrom(em),
          inject: [EntityManager],
        },
        {
          provide: LookupConnections,
          useFactory: (orm: MikroORM) => LookupConnections.of(settings, orm, errors),
          inject: [MikroORM],
        },
        DatabaseHealth,
        {
          provide: DatabaseStats,
          useFactory: (orm: MikroORM, replicas?: ReplicaWatch) =>
            new DatabaseStats(orm, { errors, pool: watch, shares }, replicas),
          inject: [MikroORM, { token: ReplicaWatch, optional: true }],
        },
        Tables,
        {
          provide: SqlExecutor,
          useFactory: (em: SqlEntityManager) => new PoolSqlExecutor(em, settings, errors),
          inject: [EntityManager],
        },
        // The embedded database has no JIT compiler.
        ...(settings.url === undefined
          ? []
          : [
              {
                provide: JitCheck,
                useFactory: (executor: SqlExecutor) => new JitCheck(executor),
                inject: [SqlExecutor],
              },
            ]),
      ],
      exports: [
        ...names.map(({ provide }) => provide),
        DatabaseHealth,
        DatabaseStats,
        LookupConnections,
        SqlExecutor,
        ReplicasModule,
        Tables,
        TransactionsModule,
      ],
    };
  }
}

/** Only this process uses the embedded database, so it is migrated at every start. */
@Module({})
class EmbeddedDatabaseModule implements OnModuleInit {
  constructor(private readonly orm: MikroORM) {}

  static async forRoot(
    { dataDir, migrations }: DatabaseSettings,
    managers: RequestEntityManagers,
  ): Promise<DynamicModule> {
    const orm = await MikroOrmModule.forRootAsync({
      driver: EmbeddedDriver,
      providers: [{ provide: EmbeddedDatabase, useFactory: () => EmbeddedDatabase.open(dataDir) }],
      inject: [EmbeddedDatabase],
      useFactory: (database: EmbeddedDatabase) => ({
        ...embeddedOptions(database),
        ...nestOptions(managers),
        extensions: [migratorOf(migrations)],
      }),
    });
    return { module: EmbeddedDatabaseModule, imports: [orm] };
  }

  async onModuleInit(): Promise<void> {
    await this.orm.migrator.up();
  }
}
