import {
  Catch,
  Controller,
  Get,
  Module,
  Query,
  type ArgumentsHost,
  type CallHandler,
  type ExceptionFilter,
  type PipeTransform,
} from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response as ExpressResponse } from 'express';
import { map } from 'rxjs';
import type { CreateAppOptions } from '../../../apps/api/src/create-app.js';
import { createMigratedDatabase, useDatabase } from '../../support/databases.js';
import { readError } from '../../support/error-body.js';
import { startApp, type RunningApp } from '../../support/running-app.js';

class Teapot extends Error {}

@Controller('v1/things')
class ThingsController {
  @Get()
  list(@Query('size') size?: string): { size: string | undefined } {
    return { size };
  }

  @Get('teapot')
  teapot(): never {
    throw new Teapot();
  }

  @Get('defect')
  defect(): never {
    throw new Error('a secret of the module');
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

describe('what is called on the application', () => {
  const database = useDatabase(createMigratedDatabase);
  let running: RunningApp | undefined;

  async function start(
    configure: NonNullable<CreateAppOptions['configure']>,
    variables: Record<string, string> = {},
  ): Promise<RunningApp> {
    running = await startApp(database, variables, { features: [ThingsModule], configure });
    return running;
  }

  afterEach(async () => {
    await running?.close();
    running = undefined;
  });

  test('useGlobalGuards: a guard that refuses everybody does', async () => {
    const app = await start((it) => it.useGlobalGuards({ canActivate: () => false }));
    const answers = [await app.request('/v1/things'), await app.request('/v1/pets')];
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
  });

  test('useGlobalGuards: a guard comes after the key and knows who calls', async () => {
    const callers: unknown[] = [];
    const app = await start((it) =>
      it.useGlobalGuards({
        canActivate: (context) => callers.push(context.switchToHttp().getRequest<{ user?: unknown }>().user) > 0,
      }),
    );
    await app.request('/v1/things');
    expect((await app.request('/v1/things', { key: null })).status).toBe(401);
    expect(callers).toEqual([{ id: 'bootstrap', keyName: 'bootstrap', holder: expect.any(String) as string }]);
  });

  test('useGlobalPipes: a pipe sees every parameter', async () => {
    const shout: PipeTransform = {
      transform: (value: unknown) => (typeof value === 'string' ? value.toUpperCase() : value),
    };
    const app = await start((it) => it.useGlobalPipes(shout));
    expect(await (await app.request('/v1/things?size=xl')).json()).toEqual({ size: 'XL' });
  });

  test('useGlobalInterceptors: an interceptor may change every answer', async () => {
    const wrap = {
      intercept: (_: unknown, next: CallHandler) => next.handle().pipe(map((data: unknown) => ({ data }))),
    };
    const app = await start((it) => it.useGlobalInterceptors(wrap));
    expect(await (await app.request('/v1/things?size=m')).json()).toEqual({ data: { size: 'm' } });
  });

  test('useGlobalFilters: a filter answers its own errors, and everything else stays the Error body', async () => {
    @Catch(Teapot)
    class TeapotFilter implements ExceptionFilter {
      catch(_: Teapot, host: ArgumentsHost): void {
        host.switchToHttp().getResponse<ExpressResponse>().status(418).json({ short: 'and stout' });
      }
    }
    const app = await start((it) => it.useGlobalFilters(new TeapotFilter()));
    const teapot = await app.request('/v1/things/teapot');
    expect([teapot.status, await teapot.json()]).toEqual([418, { short: 'and stout' }]);
    expect((await readError(await app.request('/v1/things/defect'))).code).toBe('internal_error');
  });

  test('use: a middleware sees every request, also those without a key', async () => {
    const seen: string[] = [];
    const app = await start((it) =>
      it.use((request: Request, _response: ExpressResponse, next: NextFunction) => {
        seen.push(request.path);
        next();
      }),
    );
    await app.request('/v1/things');
    await app.request('/nowhere', { key: null });
    expect(seen).toEqual(['/v1/things', '/nowhere']);
  });

  test('configure is awaited', async () => {
    let done = false;
    await start(async () => {
      await new Promise(setImmediate);
      done = true;
    });
    expect(done).toBe(true);
  });

  const refused: [string, (app: NestExpressApplication) => unknown, string][] = [
    ['setGlobalPrefix', (app) => app.setGlobalPrefix('api'), 'X-Forwarded-Prefix'],
    ['enableVersioning', (app) => app.enableVersioning(), 'part of the URI already'],
    ['useBodyParser', (app) => app.useBodyParser('json'), '@Body()'],
    ['enableShutdownHooks', (app) => app.enableShutdownHooks(), 'SIGTERM'],
  ];

  test.each(refused)('%s is refused in configure, with the reason', async (_name, call, reason) => {
    await expect(start((it) => void call(it))).rejects.toThrow(reason);
  });

  test('enableCors is refused while CORS_ORIGINS is set', async () => {
    const started = start(
      (it) => {
        it.enableCors();
      },
      { CORS_ORIGINS: 'https://shop.example' },
    );
    await expect(started).rejects.toThrow('CORS_ORIGINS is set');
  });

  test.each([
    'enableCors',
    'use',
    'useGlobalFilters',
    'useGlobalGuards',
    'useGlobalInterceptors',
    'useGlobalPipes',
    'useStaticAssets',
    'useWebSocketAdapter',
  ] as const)('%s is refused after createApp, and names configure', async (call) => {
    const { app } = await start(() => undefined);
    expect(() => (app[call] as (argument: object) => unknown)({})).toThrow('configure');
  });
});
