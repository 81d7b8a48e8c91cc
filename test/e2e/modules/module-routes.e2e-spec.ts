import {
  All,
  Controller,
  Delete,
  Get,
  HttpCode,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Patch,
  Put,
  Query,
  Req,
  Version,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import type { NextFunction, Request, Response as ExpressResponse } from 'express';
import { Deprecated } from '@animal-store/http';
import type { CreateAppOptions } from '../../../apps/api/src/create-app.js';
import { createMigratedDatabase, useDatabase } from '../../support/databases.js';
import { readError } from '../../support/error-body.js';
import { WITH_METRICS } from '../../support/scraped-metrics.js';
import { describedResponse, type OpenApiDocument } from '../../support/openapi.js';
import { startApp, useApp, type RunningApp } from '../../support/running-app.js';

@Controller({ path: 'things', version: '1' })
class ThingsController {
  @Get()
  list(@Query('size') size?: string): { size: string | undefined } {
    return { size };
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

@Controller({ path: 'orders', version: '1' })
class OrdersController {
  @Get()
  list(): { version: number } {
    return { version: 1 };
  }

  @Version('2')
  @Get()
  listAnew(): { version: number } {
    return { version: 2 };
  }

  @Get(':orderId')
  @Deprecated({ since: '2026-11-22', sunset: '2027-11-22', successor: '/v2/orders/{orderId}' })
  get(@Param('orderId', ParseIntPipe) orderId: number): { orderId: number } {
    if (orderId === 404) throw new NotFoundException();
    return { orderId };
  }

  @Patch(':orderId')
  @HttpCode(204)
  change(): void {
    // There is nothing to change.
  }

  @Put(':orderId')
  replace(): object {
    return {};
  }

  @Delete(':orderId')
  @HttpCode(204)
  remove(): void {
    // There is nothing to remove.
  }
}

@Controller({ path: 'both', version: ['1', '2'] })
class BothController {
  @Get()
  read(): object {
    return {};
  }
}

@Controller({ path: 'neutral', version: VERSION_NEUTRAL })
class NeutralController {
  @Get()
  read(): object {
    return {};
  }
}

@Controller({ path: 'any', version: '1' })
class AnyController {
  @All('{*rest}')
  take(@Req() { method }: Request): { method: string } {
    return { method };
  }
}

@Module({ controllers: [OrdersController, BothController, NeutralController, AnyController] })
class OrdersModule {}

describe('the routes of a module', () => {
  const app = useApp(
    createMigratedDatabase,
    { ...WITH_METRICS, CORS_ORIGINS: 'https://shop.example' },
    { features: [OrdersModule] },
  );

  test.each([
    ['/v1/orders', 200],
    ['/v2/orders', 200],
    ['/v2/both', 200],
    ['/neutral', 200],
    ['/v3/orders', 404],
  ])('versions are those of URI versioning: %s is %i', async (path, status) => {
    expect((await app.request(path)).status).toBe(status);
  });

  test.each([
    ['/v2/nope', 401],
    ['/neutral', 401],
    ['/v3/nope', 404],
  ])('the key comes first below every version that exists: %s without one is %i', async (path, status) => {
    expect((await readError(await app.request(path, { key: null }))).status).toBe(status);
  });

  test.each([
    ['POST', 405],
    ['OPTIONS', 204],
  ])('%s is %i with the methods of the routes', async (method, status) => {
    const answer = await app.request('/v1/orders/7', { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS']);
  });

  test.each(['GET', 'POST', 'DELETE', 'OPTIONS'])('@All() takes %s', async (method) => {
    const answer = await app.request('/v1/any/thing', { method });
    expect(await answer.json()).toEqual({ method });
  });

  test('a page of another origin may use every method of the routes', async () => {
    const headers = { origin: 'https://shop.example', 'access-control-request-method': 'PATCH' };
    const answer = await app.request('/v1/orders/7', { method: 'OPTIONS', key: null, headers });
    expect([answer.status, answer.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET,HEAD,POST,PUT,PATCH,DELETE',
    ]);
  });

  test.each([
    ['200', {}, '/v1/orders/7'],
    ['404', {}, '/v1/orders/404'],
  ])('@Deprecated is told by its %s', async (status, options, path) => {
    const answer = await app.request(path, options);
    expect(String(answer.status)).toBe(status);
    expect(answer.headers.get('deprecation')).toBe('@1795305600');
    expect(answer.headers.get('sunset')).toBe('Mon, 22 Nov 2027 00:00:00 GMT');
    expect(answer.headers.get('link')).toContain('</v2/orders/{orderId}>; rel="successor-version"');
  });

  test.each(['PATCH', 'OPTIONS'])('@Deprecated is not told by %s at its address', async (method) => {
    const { headers } = await app.request('/v1/orders/7', { method });
    expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([null, null]);
  });

  test('@Deprecated is in the OpenAPI document', async () => {
    const document = (await (await app.request('/openapi.json')).json()) as OpenApiDocument;
    const operations = document.paths['/orders/{orderId}']!;
    expect(operations['get']?.deprecated).toBe(true);
    const { headers = {} } = describedResponse(document, operations['get']!, 200);
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(['Deprecation', 'Sunset', 'Link', 'X-Request-Id']));
    expect(operations['patch']?.deprecated).toBeUndefined();
  });
});

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

  test('enableCors: decides while CORS_ORIGINS is unset, and learns the methods from the routes', async () => {
    const origin = 'https://team.example';
    const app = await start((it) => {
      it.enableCors({ origin, exposedHeaders: ['X-Own'] });
    });
    const preflight = await app.request('/v1/things', {
      method: 'OPTIONS',
      key: null,
      headers: { origin, 'access-control-request-method': 'GET' },
    });
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': expect.stringMatching(/^GET,HEAD,POST\b/) as string,
      'access-control-expose-headers': 'X-Own',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String) as string,
    });
    expect((await app.request('/v1/things', { method: 'OPTIONS', key: null, headers: { origin } })).status).toBe(401);
  });

  test('enableCsrfProtection: refuses what the page of another site sends, with the Error body', async () => {
    const app = await start((it) => it.enableCsrfProtection());
    const answer = await app.request('/v1/things', { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } });
    expect((await readError(answer)).status).toBe(403);
    expect((await app.request('/v1/things')).status).toBe(200);
  });
});
