import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { RateLimitGuard, type CallerIdOf } from './rate-limit.guard.js';

/**
 * Limits how often each API key may call. Global guards run in the order of their modules: import it after the module
 * that identifies the caller.
 */
@Module({})
export class RateLimitModule {
  static forRoot(perMinute: number, callerIdOf: CallerIdOf): DynamicModule {
    return {
      module: RateLimitModule,
      providers: [{ provide: APP_GUARD, useFactory: () => new RateLimitGuard(perMinute, callerIdOf) }],
    };
  }
}
