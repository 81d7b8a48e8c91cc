import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { AuthModule, callerOf, Public } from '@animal-store/auth';
import { translateDatabaseError, DatabaseModule } from '@animal-store/persistence';
import { ApiKeysPersistenceModule } from '@animal-store/persistence/api-keys';
import { HttpModule, PagesModule, RateLimitModule, requestContext } from '@animal-store/http';
import { CURSOR_SECRET, SecretsPersistenceModule, ServiceSecrets } from '@animal-store/persistence/secrets';
import type { Environment } from './settings/environment.js';
import { HealthModule } from './health/health.module.js';
import { DevelopmentKeysModule } from './keys/development-api-key.js';
import { KeyPrefixModule, keyPrefixOf } from './keys/key-prefix.js';
import { Log } from '@animal-store/logging';
import { MetricsModule } from '@animal-store/metrics';
import { SettingsModule } from '@animal-store/settings';
import { packageVersion } from './package-folder.js';
import { PetsModule } from './pets/pets.module.js';

/** THE list of features. A new feature adds its module here, and nothing anywhere else. */
const FEATURES = [PetsModule];

/** Other modules than {@link FEATURES}, and migrations besides those of the libraries. */
export interface AppModuleOptions {
  /** The modules beside the catalogue, instead of the other `FEATURES`: routes of a test could be the same as those of the service. */
  readonly features?: NonNullable<ModuleMetadata['imports']>;
  /** Folders with migrations besides those of the libraries, as absolute paths. */
  readonly migrations?: readonly string[];
}

@Module({})
export class AppModule {
  static async forRoot(
    environment: Environment,
    log: Log,
    { features, migrations }: AppModuleOptions,
  ): Promise<DynamicModule> {
    const { BOOTSTRAP_API_KEY, DATABASE_URL, DATA_DIR, METRICS_HOST, METRICS_PORT, RATE_LIMIT_PER_MINUTE } =
      environment;
    return {
      module: AppModule,
      providers: [{ provide: Log, useValue: log }],
      imports: [
        SettingsModule.forRoot(environment.variables),
        // Imported before all modules with their own guards, pipes, interceptors and filters: Nest uses the order of
        // the modules.
        HttpModule.forRoot({ publicRoute: Public(), translate: translateDatabaseError }),
        await DatabaseModule.forRoot({
          url: DATABASE_URL,
          readUrl: environment.DATABASE_READ_URL,
          dataDir: DATA_DIR,
          poolSize: environment.DATABASE_POOL_SIZE,
          preparedStatements: environment.DATABASE_PREPARED_STATEMENTS,
          migrations,
          requests: { current: () => requestContext.getStore() },
        }),
        PagesModule.forRoot({
          imports: [SecretsPersistenceModule],
          secrets: ServiceSecrets,
          cursorKey: (secrets) => secrets.get(CURSOR_SECRET),
        }),
        AuthModule.forRoot({ imports: [ApiKeysPersistenceModule], bootstrapKey: BOOTSTRAP_API_KEY }),
        ...(RATE_LIMIT_PER_MINUTE === undefined
          ? []
          : [RateLimitModule.forRoot(RATE_LIMIT_PER_MINUTE, (request) => callerOf(request)?.id)]),
        ...(DATABASE_URL === undefined ? [DevelopmentKeysModule.forRoot(DATA_DIR)] : []),
        ...(METRICS_PORT === undefined
          ? []
          : [
              MetricsModule.forRoot(
                { host: METRICS_HOST, port: METRICS_PORT },
                { version: packageVersion(), lostLogLines: () => log.lostLines },
              ),
            ]),
        KeyPrefixModule.forRoot(keyPrefixOf(environment)),
        ...(features === undefined ? FEATURES : [PetsModule, ...features]),
        // Express tries the routes in their order, and checks of health are few.
        HealthModule,
      ],
    };
  }
}
