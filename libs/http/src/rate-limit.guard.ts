import type { IncomingMessage } from 'node:http';
import { HttpException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** Identifies the caller of a request; `undefined` on a public route, whose requests are not counted. */
type CallerOf = (request: IncomingMessage) => string | undefined;

const WINDOW_SECONDS = 60;

/**
 * Counts the requests of each caller that the guard of the keys admits, also those for unknown addresses, and refuses what is
 * beyond the limit before its body is read. Each instance counts separately. Responses carry the fields of
 * draft-ietf-httpapi-ratelimit-headers-10.
 */
export class RateLimitGuard implements CanActivate {
  private readonly limiter: RateLimiterMemory;

  constructor(
    private readonly perMinute: number,
    private readonly callerOf: CallerOf,
  ) {
    this.limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
  }

  /** @throws HttpException 429 */
  async canActivate(context: ExecutionContext): Promise<true> {
    const http = context.switchToHttp();
    const caller = this.callerOf(http.getRequest<IncomingMessage>());
    if (caller === undefined) return true;
    const state = await this.limiter.consume(caller).catch((reason: unknown) => {
      if (reason instanceof RateLimiterRes) return reason;
      throw reason;
    });
    const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    const response = http.getResponse<Response>();
    response.setHeader('RateLimit-Policy', `"default";q=${this.perMinute};w=${WINDOW_SECONDS}`);
    response.setHeader('RateLimit', `"default";r=${state.remainingPoints};t=${seconds}`);
    if (state.consumedPoints <= this.perMinute) return true;
    response.setHeader('Retry-After', seconds);
    const limit = `This API key may send ${this.perMinute} requests in a minute`;
    throw new HttpException(`${limit}: try again in ${seconds} s`, 429);
  }
}
