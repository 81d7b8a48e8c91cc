import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiKeyAuthenticator, type AuthenticationOptions } from './api-key-authenticator.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeyUsage } from './api-key-usage.js';
import { ApiKeys } from './api-key-store.js';

/** The options of {@link AuthModule}. */
export interface AuthModuleOptions extends AuthenticationOptions {
  /** Modules that export an adapter of {@link ApiKeys}. */
  readonly imports: NonNullable<ModuleMetadata['imports']>;
}

/** Closes every route of the application that is not marked {@link Public}. */
@Module({})
export class AuthModule {
  static forRoot({ imports, ...options }: AuthModuleOptions): DynamicModule {
    return {
      module: AuthModule,
      imports,
      providers: [
        ApiKeyUsage,
        {
          provide: ApiKeyAuthenticator,
          useFactory: (keys: ApiKeys, usage: ApiKeyUsage) =>
            new ApiKeyAuthenticator(keys, options, (id) => {
              usage.note(id);
            }),
          inject: [ApiKeys, ApiKeyUsage],
        },
        { provide: APP_GUARD, useClass: ApiKeyGuard },
      ],
    };
  }
}
