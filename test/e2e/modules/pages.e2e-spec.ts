import { Body, Controller, Delete, Get, HttpCode, Module, Param, Post, Query } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import {
  HttpResponse,
  ApiResource,
  Int64IdPipe,
  IsInt64,
  PageRequest,
  Pages,
  RequestError,
  SentIdempotencyKey,
} from '@animal-store/http';
import { Serialized, SerializedPage, type IdempotencyKey, type PageQuery } from '@animal-store/kernel';
import { createMigratedDatabase } from '../../support/databases.js';
import { readError } from '../../support/error-body.js';
import type { OpenApiDocument } from '../../support/openapi.js';
import { nextPage } from '../../support/pages.js';
import { useApp } from '../../support/running-app.js';

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

/** Orders in memory, in the form in which a read model returns them. */
class Orders {
  private readonly rows: ({ quantity: number; status: OrderStatus } | undefined)[] = [];
  private readonly keys = new Map<string, bigint>();

  place(quantity: number, key: IdempotencyKey | undefined): { id: bigint; replayed: boolean } {
    const name = JSON.stringify(key ?? crypto.randomUUID());
    const before = this.keys.get(name);
    if (before !== undefined) return { id: before, replayed: true };
    const id = BigInt(this.rows.push({ quantity, status: 'placed' }));
    this.keys.set(name, id);
    return { id, replayed: false };
  }

  deliver(id: bigint): void {
    const row = this.rows[Number(id) - 1];
    if (row !== undefined) row.status = 'delivered';
  }

  remove(id: bigint): boolean {
    const isThere = this.rows[Number(id) - 1] !== undefined;
    this.rows[Number(id) - 1] = undefined;
    return isThere;
  }

  findById(id: bigint): Serialized | undefined {
    const row = this.rows[Number(id) - 1];
    return row && new Serialized(JSON.stringify({ id: Number(id), ...row }));
  }

  findPage({ limit, status, since = 0n, afterId = 0n }: PageQuery & { status?: OrderStatus; since?: bigint }) {
    const found = this.rows
      .flatMap((row, index) => (row === undefined ? [] : [{ id: index + 1, ...row }]))
      .filter((row) => row.id > afterId && row.id >= since && (status === undefined || row.status === status));
    const shown = found.slice(0, limit);
    const more = found.length > limit;
    return Promise.resolve(new SerializedPage(JSON.stringify(shown), more ? BigInt(shown.at(-1)!.id) : undefined));
  }
}

@ORDERS.group('Orders', 'What was ordered.')
@Controller({ path: 'orders', version: '1' })
class OrdersController {
  constructor(
    private readonly orders: Orders,
    private readonly pages: Pages,
  ) {}

  @Get()
  @ORDERS.list({ order: 'in the order in which they were placed' })
  list(@Query() query: ListOrdersQuery): Promise<HttpResponse> {
    return this.pages.respond('/v1/orders', query, (pageQuery) => this.orders.findPage(pageQuery));
  }

  @Post()
  @ORDERS.create(PlaceOrderRequest, {
    operationId: 'placeOrder',
    summary: 'Place an order',
    done: 'placed',
    idempotent: true,
    errors: ['conflict'],
  })
  place(@Body() { quantity }: PlaceOrderRequest, @SentIdempotencyKey() key: IdempotencyKey | undefined): HttpResponse {
    const { id, replayed } = this.orders.place(quantity, key);
    return HttpResponse.created(this.textOf(id), `/v1/orders/${id}`, replayed);
  }

  @Get(':orderId')
  @ORDERS.get()
  get(@Param('orderId', new Int64IdPipe('order')) orderId: bigint): HttpResponse {
    return HttpResponse.rendered(this.textOf(orderId));
  }

  @Post(':orderId/deliver')
  @HttpCode(200)
  @ORDERS.change('deliver', { errors: ['conflict'] })
  deliver(@Param('orderId', new Int64IdPipe('order')) orderId: bigint): HttpResponse {
    this.orders.deliver(orderId);
    return HttpResponse.rendered(this.textOf(orderId));
  }

  @Delete(':orderId')
  @HttpCode(204)
  @ORDERS.remove()
  remove(@Param('orderId', new Int64IdPipe('order')) orderId: bigint): void {
    if (!this.orders.remove(orderId)) throw RequestError.noSuch('order');
  }

  private textOf(id: bigint): string {
    const order = this.orders.findById(id);
    if (order === undefined) throw RequestError.noSuch('order');
    return order.text;
  }
}

/** Another collection of the same module, with the same rows. */
@Controller({ path: 'archive', version: '1' })
class ArchiveController {
  constructor(
    private readonly orders: Orders,
    private readonly pages: Pages,
  ) {}

  @Get()
  list(@Query() query: ListOrdersQuery): Promise<HttpResponse> {
    return this.pages.respond('/v1/archive', query, (pageQuery) => this.orders.findPage(pageQuery));
  }
}

@Module({ controllers: [OrdersController, ArchiveController], providers: [Orders] })
class OrdersModule {}

describe('a module that lists and makes things by declaration', () => {
  const app = useApp(createMigratedDatabase, {}, { features: [OrdersModule] });
  const ids: number[] = [];

  function place(quantity: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return app.request('/v1/orders', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ quantity }),
    });
  }

  async function idsOf(answer: Response): Promise<number[]> {
    return ((await answer.json()) as { id: number }[]).map(({ id }) => id);
  }

  beforeAll(async () => {
    for (let count = 0; count < 25; count++) {
      const { id } = (await (await place(1)).json()) as { id: number };
      ids.push(id);
    }
  });

  test('lists 20 where nothing is said, and links to the rest', async () => {
    const first = await app.request('/v1/orders');
    const next = nextPage(first)!;
    expect(next).toMatch(/^\/v1\/orders\?limit=20&cursor=[A-Za-z0-9_-]{34}$/);
    const last = await app.request(next);
    expect([...(await idsOf(first)), ...(await idsOf(last))]).toEqual(ids);
    expect(last.headers.has('link')).toBe(false);
  });

  test('answers what was made with 201 and its address', async () => {
    const answer = await place(3);
    const { id, ...made } = (await answer.json()) as { id: number };
    expect([answer.status, answer.headers.get('location'), made]).toEqual([
      201,
      `/v1/orders/${id}`,
      { quantity: 3, status: 'placed' },
    ]);
    expect(answer.headers.has('idempotent-replayed')).toBe(false);
  });

  test('says when it was made by an earlier request with the same key', async () => {
    const first = await place(4, { 'idempotency-key': 'one' });
    const again = await place(4, { 'idempotency-key': 'one' });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect([again.status, again.headers.get('location'), await again.text()]).toEqual([
      201,
      first.headers.get('location'),
      await first.text(),
    ]);
  });

  test.each(['01', '9223372036854775808', '9007199254740993'])('has no order %s', async (id) => {
    const answer = await app.request(`/v1/orders/${id}`);
    expect(await readError(answer)).toEqual({
      code: 'not_found',
      message: 'There is no order with this id',
      status: 404,
    });
  });

  test('answers what something became', async () => {
    const answer = await app.request('/v1/orders/1/deliver', { method: 'POST' });
    expect([answer.status, await answer.json()]).toEqual([200, { id: 1, quantity: 1, status: 'delivered' }]);
  });

  test('removes something with 204 and no body, and knows it no more', async () => {
    const { id } = (await (await place(5)).json()) as { id: number };
    const answer = await app.request(`/v1/orders/${id}`, { method: 'DELETE' });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect((await app.request(`/v1/orders/${id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await app.request(`/v1/orders/${id}`)).status).toBe(404);
  });
});

describe('the OpenAPI document of such a module', () => {
  const app = useApp(createMigratedDatabase, {}, { features: [OrdersModule] });
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
    const own = Object.keys((responses!['201'] as { headers: object }).headers).slice(-3);
    expect(own).toEqual(['ETag', 'Location', 'Idempotent-Replayed']);
    expect(requestBody).toMatchObject({ required: true, description: 'The order to be placed.' });
    expect(parametersOf('post', '/orders')[0]).toEqual(['Idempotency-Key', expect.stringContaining('order is placed')]);
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
});
