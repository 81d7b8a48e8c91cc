import { readFileSync } from 'node:fs';
import { EntityManager, MikroORM } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { EntityManager as PostgreSqlEntityManager, MikroORM as PostgreSqlMikroORM } from '@mikro-orm/postgresql';
import { SqlEntityManager } from '@mikro-orm/sql';
import { Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { UnitOfWork } from '@animal-store/kernel';
import { DatabaseErrorCounts } from './errors/database-errors.js';
import { DatabaseHealth } from './database-health.js';
import { DatabaseStats } from './database-stats.js';
import type { DatabaseSettings } from './database-settings.js';
import { EmbeddedDatabase } from './embedded/embedded-database.js';
import { extensionsIn } from './embedded/extensions.js';
import { EmbeddedDriver } from './embedded/embedded-driver.js';
import { Jobs } from './jobs.js';
import { ReservedConnections } from './connections/reserved-connections.js';
import { embeddedOptions, postgresOptions, withPool } from './mikro-orm.config.js';
import { migrationFiles } from './migrator/migration-files.js';
import { migratorOf } from './migrator/migrator.js';
import { PoolMonitor } from './connections/pool-monitor.js';
import { ReplicaWatch } from './replicas/replica-watch.js';
import { ReplicasModule } from './replicas/replicas.module.js';
import { PoolSqlExecutor } from './sql/pool-sql-executor.js';
import { SqlExecutor } from './sql/sql-executor.js';
import { FairShares } from './connections/fair-shares.js';
import { RequestEntityManagers } from './transactions/request-entity-managers.js';
import { Tables } from './tables/tables.js';
import { CurrentTransaction } from './transactions/current-transaction.js';
import { MikroOrmUnitOfWork } from './transactions/mikro-orm-unit-of-work.js';

/** How many applications this process has opened. */
let opened = 0;

/** The options of MikroORM in Nest for both databases. */
function nestOptions(managers: RequestEntityManagers, migrations: readonly string[] | undefined) {
  opened += 1;
  // MikroORM finds transactions by this name, in the process and not in the application.
  const contextName = opened === 1 ? 'default' : `application-${opened}`;
  return {
    // By the option `contextName` Nest would inject the entity manager under that name. An extension comes after Nest.
    extensions: [
      migratorOf(migrations),
      {
        name: 'contextName',
        register: ({ config }: MikroORM) => {
          config.set('contextName', contextName);
        },
      },
    ],
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
    const monitor = new PoolMonitor(errors, new FairShares(settings.poolSize, settings.requests));
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        settings.url === undefined
          ? await EmbeddedDatabaseModule.forRoot(settings, managers)
          : await MikroOrmModule.forRoot({
              ...withPool(postgresOptions(settings.url, settings.poolSize, settings.preparedStatements), monitor),
              ...nestOptions(managers, settings.migrations),
            }),
        ReplicasModule.forRoot(settings),
      ],
      providers: [
        ...names,
        {
          provide: RequestEntityManagers,
          useFactory: (em: SqlEntityManager) => managers.forkFrom(em),
          inject: [EntityManager],
        },
        {
          provide: ReservedConnections,
          useFactory: (orm: MikroORM) => ReservedConnections.of(settings, orm, errors),
          inject: [MikroORM],
        },
        DatabaseHealth,
        {
          provide: DatabaseStats,
          useFactory: (replicas?: ReplicaWatch) => new DatabaseStats(errors, monitor, replicas),
          inject: [{ token: ReplicaWatch, optional: true }],
        },
        Tables,
        Jobs,
        {
          provide: CurrentTransaction,
          useFactory: (em: SqlEntityManager) => new CurrentTransaction(em, settings.preparedStatements),
          inject: [EntityManager],
        },
        { provide: UnitOfWork, useClass: MikroOrmUnitOfWork },
        {
          provide: SqlExecutor,
          useFactory: (em: SqlEntityManager) => new PoolSqlExecutor(em, settings, errors),
          inject: [EntityManager],
        },
      ],
      exports: [
        ...names.map(({ provide }) => provide),
        DatabaseHealth,
        DatabaseStats,
        Jobs,
        ReservedConnections,
        SqlExecutor,
        ReplicasModule,
        Tables,
        CurrentTransaction,
        UnitOfWork,
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
      providers: [
        {
          provide: EmbeddedDatabase,
          useFactory: () => EmbeddedDatabase.open(dataDir, extensionsOf(migrations)),
        },
      ],
      inject: [EmbeddedDatabase],
      useFactory: (database: EmbeddedDatabase) => ({
        ...embeddedOptions(database),
        ...nestOptions(managers, migrations),
      }),
    });
    return { module: EmbeddedDatabaseModule, imports: [orm] };
  }

  async onModuleInit(): Promise<void> {
    await this.orm.migrator.up();
  }
}

/** The names of the extensions that the migrations create. */
function extensionsOf(folders: readonly string[] | undefined): string[] {
  const sources = migrationFiles(folders ?? []).map((path) => readFileSync(path, 'utf8'));
  return extensionsIn(sources.join('\n'));
}
