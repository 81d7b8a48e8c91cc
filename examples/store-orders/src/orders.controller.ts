import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Scopes } from '@animal-store/auth';
import { Idempotency, type IdempotencyKey } from '@animal-store/kernel';
import { HttpResponse, Int64IdPipe, pageOf, Pages, SentIdempotencyKey, stringifyExactJson } from '@animal-store/http';
import {
  ListOrdersQuery,
  OrderResponse,
  PlaceOrderRequest,
  toNewOrder,
  toResponse,
  type ShownOrder,
} from './order.dto.js';
import type { OrderTransition } from './order.entity.js';
import { OrdersService } from './orders.service.js';

const PATH = '/v1/store/orders';

const OrderId = () => Param('orderId', new Int64IdPipe('order'));

@ApiTags('Store')
@Scopes('orders:read')
@Controller({ path: 'store/orders', version: '1' })
export class OrdersController {
  constructor(
    private readonly orders: OrdersService,
    private readonly pages: Pages,
    private readonly idempotency: Idempotency,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listOrders', summary: 'List all orders' })
  @ApiOkResponse({ description: 'A page of orders.', type: [OrderResponse] })
  list(@Query() query: ListOrdersQuery): Promise<HttpResponse> {
    return this.pages.respond(PATH, query, async (pageQuery) => {
      const orders = await this.orders.list(pageQuery);
      return pageOf(orders.map(toResponse), pageQuery.limit);
    });
  }

  @Get(':orderId')
  @ApiOperation({ operationId: 'getOrder', summary: 'Get an order' })
  @ApiOkResponse({ description: 'The order.', type: OrderResponse })
  @ApiNotFoundResponse({ description: 'There is no such order.' })
  async get(@OrderId() id: bigint): Promise<ShownOrder> {
    return toResponse(await this.orders.get(id));
  }

  @Post()
  @Scopes('orders:write')
  @ApiOperation({ operationId: 'placeOrder', summary: 'Place an order' })
  @ApiCreatedResponse({ description: 'The order was placed.', type: OrderResponse })
  @ApiNotFoundResponse({ description: 'There is no such animal.' })
  @ApiConflictResponse({ description: 'The animal is not available.' })
  async place(@Body() body: PlaceOrderRequest, @SentIdempotencyKey() key?: IdempotencyKey): Promise<HttpResponse> {
    const newOrder = toNewOrder(body);
    // Two requests with the same content are the same request, whatever they are written like.
    const content = stringifyExactJson(['placeOrder', newOrder]);
    const { id, text, replayed } = await this.idempotency.once(key, content, async () => {
      const order = await this.orders.place(newOrder);
      return { id: order.id, text: stringifyExactJson(toResponse(order)) };
    });
    return HttpResponse.created(text, `${PATH}/${id}`, replayed);
  }

  @Post(':orderId/deliver')
  @HttpCode(200)
  @Scopes('orders:write')
  @ApiOperation({ operationId: 'deliverOrder', summary: 'Deliver an order' })
  @ApiOkResponse({ description: 'The order was delivered.', type: OrderResponse })
  @ApiNotFoundResponse({ description: 'There is no such order.' })
  @ApiConflictResponse({ description: 'The order was closed before.' })
  deliver(@OrderId() id: bigint): Promise<ShownOrder> {
    return this.close(id, 'deliver');
  }

  @Post(':orderId/cancel')
  @HttpCode(200)
  @Scopes('orders:write')
  @ApiOperation({ operationId: 'cancelOrder', summary: 'Cancel an order' })
  @ApiOkResponse({ description: 'The order was cancelled.', type: OrderResponse })
  @ApiNotFoundResponse({ description: 'There is no such order.' })
  @ApiConflictResponse({ description: 'The order was closed before.' })
  cancel(@OrderId() id: bigint): Promise<ShownOrder> {
    return this.close(id, 'cancel');
  }

  private async close(id: bigint, transition: OrderTransition): Promise<ShownOrder> {
    return toResponse(await this.orders.close(id, transition));
  }
}
