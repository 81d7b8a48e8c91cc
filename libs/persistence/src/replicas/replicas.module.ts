import { MikroORM } from '@mikro-orm/postgresql';
import { Module, type DynamicModule } from '@nestjs/common';
import type { DatabaseSettings } from '../database-settings.js';
import { replicaOptions } from '../mikro-orm.config.js';
import { NativeStatements } from '../native-statements.js';
import { ReadStatements, Statements } from '../statements.js';
import { Replica } from './replica.js';
import { ReplicaStatements } from './replica-statements.js';
import { ReplicaWatch } from './replica-watch.js';

/** Sends what only reads to the replicas, or to the primary where there are none. */
@Module({})
export class ReplicasModule {
  static forRoot(settings: DatabaseSettings): DynamicModule {
    const { replicaUrls = [] } = settings;
    if (replicaUrls.length === 0) {
      const providers = [{ provide: ReadStatements, useExisting: Statements }];
      return { module: ReplicasModule, providers, exports: [ReadStatements] };
    }
    return {
      module: ReplicasModule,
      providers: [
        {
          provide: ReplicaWatch,
          useFactory: (primary: Statements) =>
            new ReplicaWatch(
              primary,
              replicaUrls.map((url) => connect(url, settings)),
            ),
          inject: [Statements],
        },
        {
          provide: ReadStatements,
          useFactory: (primary: Statements, watch: ReplicaWatch) => new ReplicaStatements(primary, watch),
          inject: [Statements, ReplicaWatch],
        },
      ],
      exports: [ReadStatements],
    };
  }
}

/** No connection is made before the first statement. */
function connect(url: string, settings: DatabaseSettings): Replica {
  const { poolSize, preparedStatements } = settings;
  const orm = new MikroORM(replicaOptions(url, poolSize, preparedStatements));
  return new Replica(new URL(url).host, new NativeStatements(orm.em, settings), () => orm.close());
}
