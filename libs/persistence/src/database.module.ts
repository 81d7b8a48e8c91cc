import { EntityManager, MikroORM } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PgliteDriver } from '@mikro-orm/pglite';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { DatabaseHealth } from './database.health.js';
import { DatabaseLoad } from './database.load.js';
import type { DatabaseSettings } from './database-settings.js';
import { EmbeddedDatabase } from './embedded/embedded-database.js';
import { JitCheck } from './jit-check.js';
import { LookupConnections } from './lookup-connections.js';
import { migrate } from './migrate.js';
import { embeddedOptions, postgresOptions } from './mikro-orm.config.js';
import { ReplicasModule } from './replicas/replicas.module.js';
import { NativeStatements } from './native-statements.js';
import { Statements } from './statements.js';
import { TransactionsModule } from './transactions/transactions.module.js';

/** What holds for MikroORM in Nest on either database. */
const NEST_OPTIONS = {
  // Each `…Mapping` that a module passes to `forFeature` is known without a list to keep.
  autoLoadEntities: true,
  // Repositories fork the entity manager where they need a unit of work: a request that needs none pays for none.
  registerRequestContext: false,
};

/** The connection to the one database, for every module. */
@Module({})
export class DatabaseModule {
  static async forRoot(settings: DatabaseSettings): Promise<DynamicModule> {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        settings.url === undefined
          ? await EmbeddedDatabaseModule.forRoot(settings.dataDir)
          : await MikroOrmModule.forRoot({
              ...postgresOptions(settings.url, settings.poolSize, settings.preparedStatements),
              ...NEST_OPTIONS,
            }),
        ReplicasModule.forRoot(settings),
        TransactionsModule.forRoot(settings),
      ],
      providers: [
        {
          provide: LookupConnections,
          useFactory: (orm: MikroORM) => LookupConnections.of(settings, orm),
          inject: [MikroORM],
        },
        DatabaseHealth,
        DatabaseLoad,
        {
          provide: Statements,
          useFactory: (em: SqlEntityManager) => new NativeStatements(em, settings),
          inject: [EntityManager],
        },
        // The embedded database has no JIT compiler.
        ...(settings.url === undefined
          ? []
          : [
              {
                provide: JitCheck,
                useFactory: (statements: Statements) => new JitCheck(statements),
                inject: [Statements],
              },
            ]),
      ],
      exports: [DatabaseHealth, DatabaseLoad, LookupConnections, Statements, ReplicasModule, TransactionsModule],
    };
  }
}

/** The embedded database belongs to this process alone, so it is migrated at every start. */
@Module({})
class EmbeddedDatabaseModule implements OnModuleInit {
  constructor(private readonly orm: MikroORM) {}

  static async forRoot(dataDir: string): Promise<DynamicModule> {
    const orm = await MikroOrmModule.forRootAsync({
      driver: PgliteDriver,
      providers: [{ provide: EmbeddedDatabase, useFactory: () => EmbeddedDatabase.open(dataDir) }],
      inject: [EmbeddedDatabase],
      useFactory: (database: EmbeddedDatabase) => ({ ...embeddedOptions(database), ...NEST_OPTIONS }),
    });
    return { module: EmbeddedDatabaseModule, imports: [orm] };
  }

  async onModuleInit(): Promise<void> {
    await migrate(this.orm);
  }
}
