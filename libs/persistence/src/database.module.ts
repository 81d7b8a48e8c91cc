import { EntityManager, MikroORM } from '@mikro-orm/core';
import { MikroOrmModule, type MikroOrmModuleOptions } from '@mikro-orm/nestjs';
import { EntityManager as PostgreSqlEntityManager, MikroORM as PostgreSqlMikroORM } from '@mikro-orm/postgresql';
import { SqlEntityManager } from '@mikro-orm/sql';
import { Logger, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { UnitOfWork } from '@animal-store/kernel';
import { DatabaseHealth } from './database-health.js';
import { DatabaseStats } from './database-stats.js';
import { EmbeddedDatabase } from './embedded/embedded-database.js';
import { embeddedOptions, postgresOptions, replicaOptions } from './mikro-orm.config.js';
import { migrationsOf, Migrator } from './migrator/migrator.js';
import { Statements } from './statements.js';
import { CurrentTransaction, MikroOrmUnitOfWork } from './transactions/mikro-orm-unit-of-work.js';
import { RequestEntityManagers, type Requests } from './transactions/request-entity-managers.js';

export interface DatabaseSettings {
  /** A server, as `postgresql://user:password@host:port/name?sslmode=…`. Without it the embedded database is used. */
  readonly url?: string | undefined;
  /** The read-only address of the server's cluster, for lists and gets; in the form of `url`. */
  readonly readUrl?: string | undefined;
  /** The folder of the embedded database. */
  readonly dataDir: string;
  /** The maximum number of connections to the server. */
  readonly poolSize: number;
  /** Absolute paths of folders with migrations, in addition to those of the libraries. */
  readonly migrations?: readonly string[] | undefined;
  /** Without it requests have no entity managers. */
  readonly requests?: Requests | undefined;
}

/** The connection to the database, for all modules. */
@Module({})
export class DatabaseModule {
  static async forRoot(settings: DatabaseSettings): Promise<DynamicModule> {
    const { url, readUrl, poolSize, migrations, requests } = settings;
    const stats = new DatabaseStats();
    const providers: Provider[] = [
      CurrentTransaction,
      DatabaseHealth,
      { provide: DatabaseStats, useValue: stats },
      { provide: UnitOfWork, useClass: MikroOrmUnitOfWork },
      {
        provide: Statements,
        useFactory: (em: SqlEntityManager, current: CurrentTransaction) =>
          new Statements(em, current, stats.countError),
        inject: [EntityManager, CurrentTransaction],
      },
      { provide: SqlEntityManager, useExisting: EntityManager },
    ];
    let options: MikroOrmModuleOptions;
    if (url === undefined) {
      const database = await EmbeddedDatabase.open(settings.dataDir);
      providers.push(...embeddedProviders(database));
      options = embeddedOptions(database);
    } else {
      const replicas = readUrl === undefined ? [] : [replicaOptions(readUrl, poolSize)];
      options = { ...postgresOptions(url, poolSize, stats.watchPool), replicas };
    }
    const managers = new RequestEntityManagers(requests);
    const module = await MikroOrmModule.forRoot({
      ...options,
      extensions: [Migrator, managers.extension],
      migrations: await migrationsOf(migrations),
      // Mappings that modules pass to `forFeature` are found without a list.
      autoLoadEntities: true,
      registerRequestContext: false,
      context: (name?: string) => managers.find(name),
    });
    return { module: DatabaseModule, global: true, imports: [module], providers, exports: providers };
  }
}

/** By MikroORM's documentation a module injects the entity manager and the ORM of PostgreSQL by their classes. */
function embeddedProviders(database: EmbeddedDatabase): Provider[] {
  const migrate = async (orm: MikroORM) => {
    // Only this process uses the embedded database, so it is migrated at every start.
    await orm.migrator.up();
    const logger = new Logger('EmbeddedDatabase');
    logger.log(
      'This database is for trying the service out. For anything else, set DATABASE_URL to a PostgreSQL server.',
    );
    return database;
  };
  return [
    { provide: EmbeddedDatabase, useFactory: migrate, inject: [MikroORM] },
    { provide: PostgreSqlEntityManager, useExisting: EntityManager },
    { provide: PostgreSqlMikroORM, useExisting: MikroORM },
  ];
}
