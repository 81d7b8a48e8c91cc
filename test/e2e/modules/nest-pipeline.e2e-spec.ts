import { setTimeout as delay } from 'node:timers/promises';
import { CACHE_MANAGER, CacheInterceptor, CacheModule } from '@nestjs/cache-manager';
import {
  Catch,
  Controller,
  createParamDecorator,
  Get,
  Inject,
  Module,
  Post,
  Req,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type ArgumentsHost,
  type CallHandler,
  type ExecutionContext,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { EventEmitter2, EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { AuthGuard, PassportModule, PassportStrategy } from '@nestjs/passport';
import { Interval, ScheduleModule } from '@nestjs/schedule';
import { HealthCheck, HealthCheckService, HealthIndicatorService, TerminusModule } from '@nestjs/terminus';
import type { Cache } from 'cache-manager';
import type { Request, Response as ExpressResponse } from 'express';
import passport from 'passport';
import { Public, type Caller } from '@animal-store/auth';
import { shutDown } from '../../../libs/http/src/shutdown.js';
import { createMigratedDatabase } from '../../support/databases.js';
import { startApp, useApp } from '../../support/running-app.js';

/** What ran for the last request, in its order. */
const ran: string[] = [];

/** A guard and an interceptor that note that they ran, and a filter with an error of its own. */
function around(where: string) {
  class Guard {
    canActivate(): boolean {
      ran.push(`${where} guard`);
      return true;
    }
  }
  class Interceptor {
    intercept(_: ExecutionContext, next: CallHandler) {
      ran.push(`${where} interceptor`);
      return next.handle();
    }
  }
  class Mistake extends Error {}
  @Catch(Mistake)
  class Filter {
    catch(_: Mistake, host: ArgumentsHost): void {
      host.switchToHttp().getResponse<ExpressResponse>().status(418).json({ caught: where });
    }
  }
  return { Guard, Interceptor, Mistake, Filter };
}

const [ofModule, ofRoute] = [around('module'), around('route')];

const User = createParamDecorator((field: keyof Caller, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<{ user: Caller }>().user[field];
});

@Controller({ path: 'layers', version: '1' })
class LayersController {
  @Get()
  @UseGuards(ofRoute.Guard)
  @UseInterceptors(ofRoute.Interceptor)
  read(@Req() { user }: { user: Caller }, @User('keyName') name: string): object {
    return { user, name };
  }

  @Get('module')
  failForModule(): never {
    throw new ofModule.Mistake();
  }

  @Get('route')
  @UseFilters(ofRoute.Filter)
  failForRoute(): never {
    throw new ofRoute.Mistake();
  }
}

@Module({
  controllers: [LayersController],
  providers: [
    { provide: APP_GUARD, useClass: ofModule.Guard },
    { provide: APP_INTERCEPTOR, useClass: ofModule.Interceptor },
    { provide: APP_FILTER, useClass: ofModule.Filter },
  ],
})
class LayersModule {
  onModuleInit(): void {
    ran.push('init');
  }

  beforeApplicationShutdown(): void {
    ran.push('before shutdown');
  }

  onApplicationShutdown(): void {
    ran.push('shutdown');
  }
}

describe('what stands around a handler', () => {
  const app = useApp(createMigratedDatabase, {}, { features: [LayersModule] });

  test('runs only for a request with a key, and knows its caller by request.user', async () => {
    ran.length = 0;
    await app.request('/v1/layers', { key: null });
    expect(ran).toEqual([]);
    const user = { id: 'bootstrap', keyName: 'bootstrap', holder: expect.any(String) as string };
    expect(await (await app.request('/v1/layers')).json()).toEqual({ user, name: 'bootstrap' });
    expect(ran).toEqual(['module guard', 'route guard', 'module interceptor', 'route interceptor']);
  });

  test.each(['module', 'route'])('is a filter of the %s, which answers its own errors', async (caught) => {
    const answer = await app.request(`/v1/layers/${caught}`);
    expect([answer.status, await answer.json()]).toEqual([418, { caught }]);
  });
});

test('the hooks of a module are called at the start and at SIGTERM', async () => {
  ran.length = 0;
  const database = await createMigratedDatabase();
  const { app } = await startApp(database, {}, { features: [LayersModule] });
  await shutDown(app, { delaySeconds: 0, graceSeconds: 1 });
  await database.remove();
  expect(ran).toEqual(['init', 'before shutdown', 'shutdown']);
});

class SignatureStrategy extends PassportStrategy(passport.Strategy, 'signature') {
  override authenticate(request: Request): void {
    if (request.headers['x-signature'] === 'good') this.success({ id: 'partner' });
    else this.fail(401);
  }

  validate(): never {
    throw new Error('This strategy has no callback');
  }
}

@Controller({ path: 'libraries', version: '1' })
class LibrariesController {
  private reads = 0;
  private ticks = 0;
  private readonly heard: unknown[] = [];

  constructor(
    private readonly events: EventEmitter2,
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    @Inject(CACHE_MANAGER) private readonly cache: Cache,
  ) {}

  @Interval(5)
  tick(): void {
    this.ticks += 1;
  }

  @OnEvent('order.*')
  hear(event: unknown): void {
    this.heard.push(event);
  }

  @Get('events')
  async emit(): Promise<object> {
    this.events.emit('order.placed', { id: 1 });
    while (this.ticks === 0) await delay(5);
    return { heard: this.heard };
  }

  @Get('cached')
  @UseInterceptors(CacheInterceptor)
  cached(): { reads: number } {
    return { reads: (this.reads += 1) };
  }

  @Post('cleared')
  async clear(): Promise<object> {
    await this.cache.clear();
    return {};
  }

  @Public()
  @Get('health')
  @HealthCheck()
  check(): Promise<unknown> {
    return this.health.check([() => this.indicators.check('orders').down()]);
  }

  @Public()
  @UseGuards(AuthGuard('signature'))
  @Post('hook')
  hook(@Req() { user }: { user?: unknown }): object {
    return { user };
  }
}

@Module({
  imports: [
    CacheModule.register(),
    EventEmitterModule.forRoot({ wildcard: true }),
    PassportModule,
    ScheduleModule.forRoot(),
    TerminusModule,
  ],
  controllers: [LibrariesController],
  providers: [SignatureStrategy],
})
class LibrariesModule {}

describe('beside the service', () => {
  const app = useApp(createMigratedDatabase, {}, { features: [LibrariesModule] });

  test('@nestjs/cache-manager keeps the answer of a route, until it is cleared', async () => {
    const read = async () => (await app.request('/v1/libraries/cached')).json();
    expect([await read(), await read()]).toEqual([{ reads: 1 }, { reads: 1 }]);
    await app.request('/v1/libraries/cleared', { method: 'POST' });
    expect(await read()).toEqual({ reads: 2 });
  });

  test.each<[string, string, string, string, number, object]>([
    ['@nestjs/event-emitter and @nestjs/schedule call', 'GET', 'events', '', 200, { heard: [{ id: 1 }] }],
    ['@nestjs/terminus tells what is down', 'GET', 'health', '', 503, { code: 'service_unavailable' }],
    ['a guard of Passport lets in', 'POST', 'hook', 'good', 201, { user: { id: 'partner' } }],
    ['a guard of Passport refuses', 'POST', 'hook', 'bad', 401, { code: 'unauthorized' }],
  ])('%s: %s %s with the signature "%s" is %i', async (_what, method, path, signature, status, body) => {
    const options = signature === '' ? {} : { key: null, headers: { 'x-signature': signature } };
    const answer = await app.request(`/v1/libraries/${path}`, { method, ...options });
    expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining(body)]);
    // Only the key of the service is asked for with this challenge.
    expect(answer.headers.has('www-authenticate')).toBe(false);
  });
});
