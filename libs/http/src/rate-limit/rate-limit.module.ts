import type { IncomingMessage, ServerResponse } from 'node:http';
import { Module, type CanActivate, type DynamicModule, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { RequestError } from '../errors/request.errors.js';

/** Identifies the caller of a request; `undefined` on a public route, whose requests are not counted. */
type CallerIdOf = (request: IncomingMessage) => string | undefined;

const WINDOW_SECONDS = 60;

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

/**
 * Counts the requests of each API key, and refuses requests beyond the limit before their body is read. It runs after
 * the guard of the keys, so it counts requests for known and unknown addresses. Each instance counts separately.
 *
 * Responses carry the fields of draft-ietf-httpapi-ratelimit-headers-10: the policy, and the remaining requests.
 */
class RateLimitGuard implements CanActivate {
  private readonly limiter: RateLimiterMemory;
  private readonly policy: string;

  constructor(
    private readonly perMinute: number,
    private readonly callerIdOf: CallerIdOf,
  ) {
    this.limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
    this.policy = `"default";q=${perMinute};w=${WINDOW_SECONDS}`;
  }

  /** @throws RequestError */
  async canActivate(context: ExecutionContext): Promise<true> {
    const http = context.switchToHttp();
    const callerId = this.callerIdOf(http.getRequest<IncomingMessage>());
    return callerId === undefined || (await this.count(callerId, http.getResponse<ServerResponse>()));
  }

  private async count(key: string, response: ServerResponse): Promise<true> {
    const { state, refused } = await this.limiter.consume(key).then(
      (taken) => ({ state: taken, refused: false }),
      (reason: unknown) => {
        if (reason instanceof RateLimiterRes) return { state: reason, refused: true };
        throw reason;
      },
    );
    const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    response.setHeader('RateLimit-Policy', this.policy);
    response.setHeader('RateLimit', `"default";r=${state.remainingPoints};t=${seconds}`);
    if (refused)
      throw RequestError.rateLimited(`This API key may send ${this.perMinute} requests in a minute`, seconds);
    return true;
  }
}
