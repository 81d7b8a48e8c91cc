import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeyUsage } from './api-key-usage.js';
import { ApiKeys } from './api-key-store.js';

/** Provides {@link ApiKeyGuard}. The application lists it before every global guard that refuses requests (ADR 0001). */
@Module({})
export class AuthModule {
  /**
   * @param store the module that exports an adapter of {@link ApiKeys}
   * @param bootstrapKey a key from the environment that is accepted in addition to the stored keys
   */
  static forRoot(store: Type, bootstrapKey?: string): DynamicModule {
    const authenticator = {
      provide: ApiKeyAuthenticator,
      useFactory: (keys: ApiKeys, usage: ApiKeyUsage) => new ApiKeyAuthenticator(keys, usage, bootstrapKey),
      inject: [ApiKeys, ApiKeyUsage],
    };
    const providers = [ApiKeyUsage, authenticator, ApiKeyGuard];
    return { module: AuthModule, imports: [store], providers, exports: [ApiKeyGuard] };
  }
}
