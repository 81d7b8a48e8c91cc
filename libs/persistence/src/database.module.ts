import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { EntityManager, MikroORM } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { EntityManager as PostgreSqlEntityManager, MikroORM as PostgreSqlMikroORM } from '@mikro-orm/postgresql';
import { SqlEntityManager } from '@mikro-orm/sql';
import { Logger, Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { UnitOfWork } from '@animal-store/kernel';
import { DatabaseHealth } from './database-health.js';
import { DatabaseStats } from './database-stats.js';
import type { DatabaseSettings } from './database-settings.js';
import { EmbeddedDatabase } from './embedded/embedded-database.js';
import { extensionsIn } from './embedded/extensions.js';
import { EmbeddedDriver } from './embedded/embedded-driver.js';
import { Jobs } from './jobs.js';
import { embeddedOptions, postgresOptions, withPool } from './mikro-orm.config.js';
import { migrationFiles } from './migrator/migration-files.js';
import { migratorOf } from './migrator/migrator.js';
import { PoolSqlExecutor } from './sql/pool-sql-executor.js';
import { FallbackSqlExecutor } from './sql/read-sql-executor.js';
import { ReadSqlExecutor, SqlExecutor } from './sql/sql-executor.js';
import { RequestEntityManagers } from './transactions/request-entity-managers.js';
import { Tables } from './tables/tables.js';
import { CurrentTransaction } from './transactions/current-transaction.js';
import { MikroOrmUnitOfWork } from './transactions/mikro-orm-unit-of-work.js';

/** The options of MikroORM in Nest for both databases. */
function nestOptions(managers: RequestEntityManagers, migrations: readonly string[] | undefined) {
  // MikroORM finds transactions by this name, in the process and not in the application.
  const contextName = `application-${randomUUID()}`;
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
    const stats = new DatabaseStats();
    const onPoolCreated = stats.watchPool.bind(stats);
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        settings.url === undefined
          ? await EmbeddedDatabaseModule.forRoot(settings, managers)
          : await MikroOrmModule.forRoot({
              ...withPool(postgresOptions(settings.url, settings.poolSize, settings.preparedStatements), onPoolCreated),
              ...nestOptions(managers, settings.migrations),
            }),
      ],
      providers: [
        ...names,
        {
          provide: RequestEntityManagers,
          useFactory: (em: SqlEntityManager) => managers.forkFrom(em),
          inject: [EntityManager],
        },
        {
          provide: DatabaseHealth,
          useFactory: (orm: MikroORM) => new DatabaseHealth(orm, settings),
          inject: [MikroORM],
        },
        { provide: DatabaseStats, useValue: stats },
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
          useFactory: (em: SqlEntityManager) => new PoolSqlExecutor(em, settings, stats.errorCounts),
          inject: [EntityManager],
        },
        {
          provide: ReadSqlExecutor,
          useFactory: (primary: SqlExecutor) =>
            settings.readUrl === undefined ? primary : FallbackSqlExecutor.of(settings.readUrl, settings, primary),
          inject: [SqlExecutor],
        },
      ],
      exports: [
        ...names.map(({ provide }) => provide),
        DatabaseHealth,
        DatabaseStats,
        Jobs,
        ReadSqlExecutor,
        SqlExecutor,
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
  private readonly logger = new Logger('EmbeddedDatabase');

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
    this.logger.log('This database is for the first minutes. For all else set DATABASE_URL to a PostgreSQL server.');
  }
}

/** The names of the extensions that the migrations create. */
function extensionsOf(folders: readonly string[] | undefined): string[] {
  const sources = migrationFiles(folders ?? []).map((path) => readFileSync(path, 'utf8'));
  return extensionsIn(sources.join('\n'));
}
