import { setTimeout as delay } from 'node:timers/promises';
import { CACHE_MANAGER, CacheInterceptor, CacheModule } from '@nestjs/cache-manager';
import {
  Catch,
  Controller,
  createParamDecorator,
  Get,
  Inject,
  Injectable,
  Module,
  Param,
  Post,
  Req,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
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
import { shutDown } from '../../../libs/http/src/shutdown/shutdown-order.js';
import { createMigratedDatabase, useDatabase } from '../../support/databases.js';
import { readError } from '../../support/error-body.js';
import { startApp, useApp, type RunningApp } from '../../support/running-app.js';

/** The guards and interceptors that ran for the last request. */
const ran: string[] = [];

/** A guard and an interceptor that note that they ran, and a filter with an error of its own. */
function around(where: string) {
  class Guard implements CanActivate {
    canActivate(): boolean {
      ran.push(`${where} guard`);
      return true;
    }
  }
  class Interceptor implements NestInterceptor {
    intercept(_: ExecutionContext, next: CallHandler) {
      ran.push(`${where} interceptor`);
      return next.handle();
    }
  }
  class Mistake extends Error {}
  @Catch(Mistake)
  class Filter implements ExceptionFilter {
    catch(_: Mistake, host: ArgumentsHost): void {
      host.switchToHttp().getResponse<ExpressResponse>().status(418).json({ caught: where });
    }
  }
  return { Guard, Interceptor, Mistake, Filter };
}

const [ofModule, ofController, ofRoute] = [around('module'), around('controller'), around('route')];

const User = createParamDecorator((field: keyof Caller | undefined, context: ExecutionContext) => {
  const { user } = context.switchToHttp().getRequest<{ user: Caller }>();
  return field === undefined ? user : user[field];
});

@Controller({ path: 'layers', version: '1' })
@UseGuards(ofController.Guard)
@UseInterceptors(ofController.Interceptor)
@UseFilters(ofController.Filter)
class LayersController {
  @Get()
  read(): object {
    return {};
  }

  @Get('mistakes/:where')
  @UseFilters(ofRoute.Filter)
  fail(@Param('where') where: string): never {
    throw { module: new ofModule.Mistake(), controller: new ofController.Mistake(), route: new ofRoute.Mistake() }[
      where
    ]!;
  }
}

@Controller({ path: 'callers', version: '1' })
class CallersController {
  @Get('me')
  me(@User() user: Caller, @User('keyName') name: string): object {
    return { user, name };
  }
}

@Module({
  controllers: [LayersController, CallersController],
  providers: [
    { provide: APP_GUARD, useClass: ofModule.Guard },
    { provide: APP_INTERCEPTOR, useClass: ofModule.Interceptor },
    { provide: APP_FILTER, useClass: ofModule.Filter },
  ],
})
class LayersModule {}

describe('what stands around a handler', () => {
  const app = useApp(createMigratedDatabase, {}, { features: [LayersModule] });

  test('runs only for a request with a key', async () => {
    ran.length = 0;
    await app.request('/v1/layers', { key: null });
    expect(ran).toEqual([]);
    await app.request('/v1/layers');
    expect(ran).toEqual(['module guard', 'controller guard', 'module interceptor', 'controller interceptor']);
  });

  test.each(['module', 'controller', 'route'])('a filter of the %s answers its own errors', async (caught) => {
    const answer = await app.request(`/v1/layers/mistakes/${caught}`);
    expect([answer.status, await answer.json()]).toEqual([418, { caught }]);
  });

  test('request.user is the caller, for guards and for decorators of parameters', async () => {
    const holder = expect.any(String) as string;
    expect(await (await app.request('/v1/callers/me')).json()).toEqual({
      user: { id: 'bootstrap', keyName: 'bootstrap', holder },
      name: 'bootstrap',
    });
  });
});

const hooks: string[] = [];

@Module({})
class HooksModule {
  onModuleInit(): void {
    hooks.push('init');
  }

  onApplicationBootstrap(): void {
    hooks.push('bootstrap');
  }

  beforeApplicationShutdown(): void {
    hooks.push('before shutdown');
  }

  onApplicationShutdown(): void {
    hooks.push('shutdown');
  }
}

test('the hooks of a module are called at the start and at SIGTERM', async () => {
  const database = await createMigratedDatabase();
  const { app } = await startApp(database, {}, { features: [HooksModule] });
  await shutDown(app, { delaySeconds: 0, graceSeconds: 1, loggedPath: (target) => target });
  await database.remove();
  expect(hooks).toEqual(['init', 'bootstrap', 'before shutdown', 'shutdown']);
});

@Injectable()
class Clock {
  ticks = 0;

  @Interval(5)
  tick(): void {
    this.ticks += 1;
  }
}

@Injectable()
class Listener {
  readonly heard: unknown[] = [];

  @OnEvent('order.*')
  hear(event: unknown): void {
    this.heard.push(event);
  }
}

@Injectable()
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

  constructor(
    readonly events: EventEmitter2,
    readonly listener: Listener,
    readonly clock: Clock,
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    @Inject(CACHE_MANAGER) private readonly cache: Cache,
  ) {}

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
    return this.health.check([() => this.indicators.check('orders').up({ open: 3 })]);
  }

  @Public()
  @Get('health/down')
  @HealthCheck()
  checkDown(): Promise<unknown> {
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
  providers: [Clock, Listener, SignatureStrategy],
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

  test('@nestjs/event-emitter brings events to their listeners', () => {
    const { events, listener } = app.app.get(LibrariesController, { strict: false });
    events.emit('order.placed', { id: 1 });
    expect(listener.heard).toEqual([{ id: 1 }]);
  });

  test('@nestjs/schedule calls what is due', async () => {
    await delay(50);
    expect(app.app.get(LibrariesController, { strict: false }).clock.ticks).toBeGreaterThan(0);
  });

  test('@nestjs/terminus tells that an indicator is up', async () => {
    const answer = await app.request('/v1/libraries/health', { key: null });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ status: 'ok', details: { orders: { status: 'up', open: 3 } } });
  });

  test('@nestjs/terminus tells that an indicator is down with 503 and the Error body', async () => {
    const answer = await app.request('/v1/libraries/health/down', { key: null });
    expect((await readError(answer)).status).toBe(503);
  });

  test('a guard of Passport lets in who its strategy knows, on a route without an API key', async () => {
    const answer = await app.request('/v1/libraries/hook', {
      method: 'POST',
      key: null,
      headers: { 'x-signature': 'good' },
    });
    expect([answer.status, await answer.json()]).toEqual([201, { user: { id: 'partner' } }]);
  });

  test('a guard of Passport refuses others with 401 and the Error body, and does not ask for the API key', async () => {
    const answer = await app.request('/v1/libraries/hook', { method: 'POST', key: null });
    expect(answer.headers.has('www-authenticate')).toBe(false);
    expect(await readError(answer)).toMatchObject({ status: 401, code: 'unauthorized' });
  });
});

@Controller({ path: 'extra', version: '2' })
class ExtraController {
  @Get()
  read(): object {
    return {};
  }
}

@Module({ controllers: [ExtraController] })
class ExtraModule {}

describe('two applications in one process', () => {
  const database = useDatabase(createMigratedDatabase);
  let apps: RunningApp[];

  beforeAll(async () => {
    const cors = { CORS_ORIGINS: 'https://shop.example', RATE_LIMIT_PER_MINUTE: '1000' };
    apps = [await startApp(database, {}, { features: [ExtraModule] }), await startApp(database, cors)];
  });

  afterAll(async () => {
    for (const app of apps) await app.close();
  });

  test('have their own routes and versions', async () => {
    const answers = await Promise.all(apps.map((app) => app.request('/v2/extra')));
    expect(answers.map(({ status }) => status)).toEqual([200, 404]);
  });

  test('go on when another one is closed', async () => {
    const [first, ...others] = apps;
    await first?.close();
    apps = others;
    expect(await Promise.all(apps.map(async (app) => (await app.request('/v1/pets')).status))).toEqual([200]);
  });
});
