import {
  Controller,
  Get,
  HostParam,
  HttpCode,
  Module,
  Param,
  ParseIntPipe,
  Patch,
  Query,
  Version,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import type { NextFunction, Request, Response as ExpressResponse } from 'express';
import { createMigratedDatabase } from '../../support/databases.js';
import { readError } from '../../support/error-body.js';
import { rawExchange } from '../../support/raw-http.js';
import { startApp, TEST_API_KEY, useApp } from '../../support/running-app.js';

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
  get(@Param('orderId', ParseIntPipe) orderId: number): { orderId: number } {
    return { orderId };
  }

  @Patch(':orderId')
  @HttpCode(204)
  change(): void {
    // There is nothing to change.
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

@Controller({ path: 'hosted', version: '1', host: ':tenant.example.com' })
class HostController {
  @Get()
  get(@HostParam('tenant') tenant: string): { tenant: string } {
    return { tenant };
  }
}

@Module({
  imports: [ThingsModule, RouterModule.register([{ path: 'shop', module: ThingsModule }])],
  controllers: [OrdersController, BothController, NeutralController, HostController],
})
class OrdersModule {}

describe('the routes of a module', () => {
  const app = useApp(createMigratedDatabase, {}, { features: [OrdersModule] });

  test.each([
    ['/v1/orders', 200],
    ['/v2/orders', 200],
    ['/v2/both', 200],
    ['/neutral', 200],
    ['/v1/shop/things', 200],
    ['/v3/orders', 404],
  ])('versions are those of URI versioning: %s is %i', async (path, status) => {
    expect((await app.request(path)).status).toBe(status);
  });

  test.each([
    ['/v2/orders', 401],
    ['/neutral', 401],
    ['/v1/nope', 401],
    ['/v3/nope', 404],
  ])('the key comes first at every route, and everywhere below /v1: %s without one is %i', async (path, status) => {
    expect((await readError(await app.request(path, { key: null }))).status).toBe(status);
  });

  test.each([
    ['POST', 405],
    ['OPTIONS', 204],
  ])('%s is %i with the methods of the routes', async (method, status) => {
    const answer = await app.request('/v1/orders/7', { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, 'GET, HEAD, PATCH, OPTIONS']);
  });

  test('a controller of a host has its parameters, and nothing is at other hosts', async () => {
    const at = (host: string) =>
      rawExchange(
        app.port,
        `GET /v1/hosted HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${TEST_API_KEY}\r\n\r\n`,
      );
    const [own, other] = [await at('shop.example.com'), await at('example.org')];
    expect([own.text(), other.status]).toEqual(['{"tenant":"shop"}', 404]);
  });
});

test('createApp() gives the application before its routes are made: for a middleware, and for CORS', async () => {
  const seen: string[] = [];
  const origin = 'https://team.example';
  const database = await createMigratedDatabase();
  const app = await startApp(
    database,
    {},
    {
      features: [ThingsModule],
      configure: (nest) => {
        nest.use((request: Request, _response: ExpressResponse, next: NextFunction) => {
          seen.push(request.path);
          next();
        });
        nest.enableCors({ origin, exposedHeaders: ['X-Own'] });
      },
    },
  );
  await app.request('/v1/things');
  const headers = { origin, 'access-control-request-method': 'GET' };
  const preflight = await app.request('/nowhere', { method: 'OPTIONS', key: null, headers });
  await app.close();
  await database.remove();
  expect(seen).toEqual(['/v1/things', '/nowhere']);
  expect(Object.fromEntries(preflight.headers)).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'X-Own',
    'x-content-type-options': 'nosniff',
  });
});
