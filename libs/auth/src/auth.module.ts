import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeyUsage } from './api-key-usage.js';
import { ApiKeys } from './api-key-store.js';

/** The options of {@link AuthModule}. */
export interface AuthModuleOptions {
  /** Modules that export an adapter of {@link ApiKeys}. */
  readonly imports: NonNullable<ModuleMetadata['imports']>;
  /** A key from the environment that is accepted in addition to the stored keys. */
  readonly bootstrapKey?: string | undefined;
}

/** Provides {@link ApiKeyGuard}, which the application lists as its first global guard. */
@Module({})
export class AuthModule {
  static forRoot({ imports, bootstrapKey }: AuthModuleOptions): DynamicModule {
    const authenticator = {
      provide: ApiKeyAuthenticator,
      useFactory: (keys: ApiKeys, usage: ApiKeyUsage) => new ApiKeyAuthenticator(keys, usage, bootstrapKey),
      inject: [ApiKeys, ApiKeyUsage],
    };
    return {
      module: AuthModule,
      imports,
      providers: [ApiKeyUsage, authenticator, ApiKeyGuard],
      exports: [ApiKeyGuard],
    };
  }
}
