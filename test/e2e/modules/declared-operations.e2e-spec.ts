import { Body, Controller, Delete, Get, Module, Param, Post, Query, type NestInterceptor } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { Response } from 'express';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { ApiResource, HttpModule, Int64IdPipe, IsInt64, PageRequest, SentIdempotencyKey } from '@animal-store/http';
import { type IdempotencyKey } from '@animal-store/kernel';
import { createMigratedDatabase } from '../../support/databases.js';
import type { OpenApiDocument } from '../../support/openapi.js';
import { useApp } from '../../support/running-app.js';

const ORIGIN = 'https://shop.example';

const STATUSES = ['placed', 'delivered'] as const;
type OrderStatus = (typeof STATUSES)[number];

@ApiSchema({ name: 'Order', description: 'An order.' })
class OrderResponse {
  @ApiProperty({ description: 'Unique identifier.', type: 'integer', format: 'int64', example: 1 })
  readonly id!: bigint;

  @ApiProperty({ description: 'How many.', type: 'integer', example: 2 })
  readonly quantity!: number;

  @ApiProperty({ description: 'What became of it.', enum: STATUSES, enumName: 'OrderStatus' })
  readonly status!: OrderStatus;
}

@ApiSchema({ name: 'NewOrder', description: 'An order to be placed.' })
class PlaceOrderRequest {
  @ApiProperty({ description: 'How many.', type: 'integer', minimum: 1, maximum: 10 })
  @IsInt()
  @Min(1)
  @Max(10)
  readonly quantity!: number;
}

class ListOrdersQuery extends PageRequest {
  @ApiPropertyOptional({ description: 'Filters by status.', enum: STATUSES, enumName: 'OrderStatus' })
  @IsOptional()
  @IsIn(STATUSES)
  readonly status?: OrderStatus;

  @ApiPropertyOptional({ description: 'No order before this one.', type: 'integer', format: 'int64' })
  @IsOptional()
  @IsInt64()
  readonly since?: bigint;
}

const ORDERS = new ApiResource({
  name: 'Order',
  one: 'order',
  type: OrderResponse,
});

/** A controller may have the operations of two resources. */
const RETURNS = new ApiResource({ name: 'Return', one: 'return', type: OrderResponse });

/** What a request brings about is tried with the orders of the examples. */
@ORDERS.group('Orders', 'What was ordered.')
@RETURNS.group('Orders', 'What was ordered.')
@Controller({ path: 'orders', version: '1' })
class OrdersController {
  @Get()
  @ORDERS.list({ order: 'in the order in which they were placed' })
  list(@Query() query: ListOrdersQuery): unknown {
    return query;
  }

  @Post()
  @ORDERS.create(PlaceOrderRequest, {
    operationId: 'placeOrder',
    summary: 'Place an order',
    done: 'placed',
    idempotent: true,
    errors: ['conflict'],
  })
  place(@Body() order: PlaceOrderRequest, @SentIdempotencyKey() key: IdempotencyKey | undefined): unknown {
    return { order, key };
  }

  @Get(':orderId')
  @ORDERS.get()
  get(@Param('orderId', new Int64IdPipe('order')) orderId: bigint): unknown {
    return { orderId };
  }

  @Post(':orderId/deliver')
  @ORDERS.change('deliver', { errors: ['conflict'] })
  deliver(@Param('orderId', new Int64IdPipe('order')) orderId: bigint): unknown {
    return { orderId };
  }

  @Delete(':orderId')
  @ORDERS.remove()
  remove(@Param('orderId', new Int64IdPipe('order')) orderId: bigint): unknown {
    return { orderId };
  }
}

/** A list that says nothing of itself. */
@Controller({ path: 'archive', version: '1' })
class ArchiveController {
  @Get()
  list(@Query() query: ListOrdersQuery): unknown {
    return query;
  }
}

const branded: NestInterceptor = {
  intercept(context, next) {
    context.switchToHttp().getResponse<Response>().setHeader('X-Brand', 'shop');
    return next.handle();
  },
};

const BRAND = { description: 'The brand.', required: true, schema: { type: 'string' }, example: 'shop' } as const;

@Module({
  imports: [HttpModule.forFeature({ responseHeaders: { 'X-Brand': BRAND } })],
  controllers: [OrdersController, ArchiveController],
  providers: [{ provide: APP_INTERCEPTOR, useValue: branded }],
})
class OrdersModule {}

describe('the OpenAPI document of a module that lists and makes things by declaration', () => {
  const app = useApp(createMigratedDatabase, { CORS_ORIGINS: ORIGIN }, { features: [OrdersModule] });
  let document: OpenApiDocument;

  beforeAll(async () => {
    document = (await (await app.request('/openapi.json')).json()) as OpenApiDocument;
  });

  function operation(method: string, path: string): Record<string, unknown> {
    return (document.paths as unknown as Record<string, Record<string, Record<string, unknown>>>)[path]![method]!;
  }

  function parametersOf(method: string, path: string): [string, string][] {
    return (operation(method, path)['parameters'] as { name: string; description: string }[]).map(
      ({ name, description }) => [name, description],
    );
  }

  test('names the operations after what they are about', () => {
    expect(
      [
        operation('get', '/orders'),
        operation('post', '/orders'),
        operation('get', '/orders/{orderId}'),
        operation('post', '/orders/{orderId}/deliver'),
        operation('delete', '/orders/{orderId}'),
      ].map(({ operationId, summary }) => [operationId, summary]),
    ).toEqual([
      ['listOrders', 'List all orders'],
      ['placeOrder', 'Place an order'],
      ['getOrder', 'Get an order'],
      ['deliverOrder', 'Deliver an order'],
      ['removeOrder', 'Remove an order'],
    ]);
  });

  test('puts an operation into a group once', () => {
    expect(operation('get', '/orders')['tags']).toEqual(['Orders']);
  });

  test('tells of a page what it holds, and in which order', () => {
    expect(operation('get', '/orders')['description']).toMatch(/^Returns .* orders in the order in which .* placed\./);
    expect((document.components.schemas as Record<string, unknown>)['Orders']).toEqual({
      type: 'array',
      description: 'Orders in the order in which they were placed.',
      minItems: 0,
      maxItems: 100,
      items: { $ref: '#/components/schemas/Order' },
    });
  });

  test('tells of the parameters of a list that says nothing of itself', () => {
    expect(parametersOf('get', '/archive').map(([name]) => name)).toEqual(['limit', 'cursor', 'status', 'since']);
  });

  test('tells of what is made, and how to send it again', () => {
    const { responses, requestBody } = operation('post', '/orders') as Record<string, Record<string, unknown>>;
    const own = Object.keys((responses!['201'] as { headers: object }).headers).slice(-4, -1);
    expect(own).toEqual(['ETag', 'Location', 'Idempotent-Replayed']);
    expect(requestBody).toMatchObject({ required: true, description: 'The order to be placed.' });
    expect(parametersOf('post', '/orders')[0]).toEqual(['Idempotency-Key', expect.stringContaining('order is placed')]);
  });

  test('tells of a header field that its interceptor adds, and pages of other origins may read it', async () => {
    const answer = await app.request('/v1/orders', { headers: { origin: ORIGIN } });
    expect([answer.status, answer.headers.get('x-brand')]).toEqual([200, 'shop']);
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-Brand');
    expect(document.components.headers?.['X-Brand']).toEqual(BRAND);
    for (const path of ['/pets', '/orders'])
      expect(operation('get', path)).toMatchObject({ responses: { 200: { headers: { 'X-Brand': {} } } } });
  });

  test.each([
    ['post', '/orders', ['409', '415', '422']],
    ['get', '/orders/{orderId}', ['304', '404']],
    ['post', '/orders/{orderId}/deliver', ['404', '409']],
    ['delete', '/orders/{orderId}', ['204', '404']],
  ])('tells of the errors that only %s %s answers', (method, path, expected) => {
    const statuses = Object.keys(operation(method, path)['responses'] as object);
    const general = ['200', '201', '400', '401', '408', '413', '429', '431', '500', '503'];
    expect(statuses.filter((status) => !general.includes(status))).toEqual(expected);
  });

  test.each([
    ['post', '/orders/1/deliver', 200],
    ['delete', '/orders/1', 204],
  ])('is right about the status of %s %s', async (method, path, expected) => {
    const { status } = await app.request(`/v1${path}`, { method: method.toUpperCase() });
    expect(status).toBe(expected);
    expect(operation(method, path.replace('1', '{orderId}'))['responses']).toHaveProperty(String(expected));
  });
});
