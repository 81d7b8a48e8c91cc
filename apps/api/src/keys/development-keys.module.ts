import { Module, type DynamicModule } from '@nestjs/common';
import { ApiKeys } from '@animal-store/auth';
import { ApiKeysPersistenceModule } from '@animal-store/persistence/api-keys';
import { DevelopmentApiKey } from './development-api-key.js';

/** Creates the key of the embedded database. */
@Module({})
export class DevelopmentKeysModule {
  static forRoot(dataDir: string): DynamicModule {
    return {
      module: DevelopmentKeysModule,
      imports: [ApiKeysPersistenceModule],
      providers: [
        {
          provide: DevelopmentApiKey,
          useFactory: (keys: ApiKeys) => new DevelopmentApiKey(keys, dataDir),
          inject: [ApiKeys],
        },
      ],
    };
  }
}
