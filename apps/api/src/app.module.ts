import { type DynamicModule, Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import { AuthModule, Public } from '@animal-store/auth';
import { HttpModule, requestContext, SettingsModule } from '@animal-store/http';
import { Log } from '@animal-store/logging';
import { MetricsModule } from '@animal-store/metrics';
import { DatabaseModule, translateDatabaseError } from '@animal-store/persistence';
import { ApiKeysPersistenceModule } from '@animal-store/persistence/api-keys';
import { HealthModule } from './health.controller.js';
import { PetsModule } from './pets/pets.module.js';
import type { Environment } from './settings.js';

/** A new feature adds its module here, and nothing anywhere else. */
const FEATURES = [PetsModule];

export interface AppModuleOptions {
  /** Modules beside the catalogue, instead of the other `FEATURES`, whose routes could be the same as those of a test. */
  readonly features?: NonNullable<ModuleMetadata['imports']>;
  /** Folders with migrations besides those of the libraries, as absolute paths. */
  readonly migrations?: readonly string[];
}

@Module({})
export class AppModule {
  /** @param pipeline the global guards, pipes and filters in their order */
  static async forRoot(
    environment: Environment,
    log: Log,
    pipeline: readonly Provider[],
    { features, migrations }: AppModuleOptions,
  ): Promise<DynamicModule> {
    const { METRICS_HOST, METRICS_PORT } = environment;
    return {
      module: AppModule,
      // Nest runs the global guards, pipes and filters of the root module before those of the modules that it imports.
      providers: [{ provide: Log, useValue: log }, ...pipeline],
      imports: [
        SettingsModule.forRoot(environment.variables),
        HttpModule.forRoot({
          publicRoute: Public(),
          translate: translateDatabaseError,
          bodyLimit: environment.BODY_LIMIT,
        }),
        await DatabaseModule.forRoot({
          url: environment.DATABASE_URL,
          readUrl: environment.DATABASE_READ_URL,
          dataDir: environment.DATA_DIR,
          poolSize: environment.DATABASE_POOL_SIZE,
          migrations,
          requests: { current: () => requestContext.getStore() },
        }),
        ApiKeysPersistenceModule,
        AuthModule.forRoot(ApiKeysPersistenceModule, environment.BOOTSTRAP_API_KEY),
        ...(METRICS_PORT === undefined
          ? []
          : [MetricsModule.forRoot({ host: METRICS_HOST, port: METRICS_PORT, lostLogLines: () => log.lostLines })]),
        ...(features === undefined ? FEATURES : [PetsModule, ...features]),
        HealthModule,
      ],
    };
  }
}
