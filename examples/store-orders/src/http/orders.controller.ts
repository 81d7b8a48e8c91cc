import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Idempotency, type IdempotencyKey } from '@animal-store/kernel';
import { ApiResource, HttpResponse, Int64IdPipe, Pages, SentIdempotencyKey } from '@animal-store/http';
import { OrderNotFoundError } from '../domain/order.errors.js';
import { OrderReadModel } from '../domain/order.repository.js';
import { OrdersService } from '../domain/orders.service.js';
import { ListOrdersQuery, OrderResponse, PlaceOrderRequest } from './order.dto.js';

const PATH = '/v1/store/orders';

const DOCS = new ApiResource({ name: 'Order', one: 'order', type: OrderResponse });

const OrderId = () => Param('orderId', new Int64IdPipe('order'));

@DOCS.group('Store', 'Orders of animals.')
@Controller({ path: 'store/orders', version: '1' })
export class OrdersController {
  constructor(
    private readonly orders: OrdersService,
    private readonly readModel: OrderReadModel,
    private readonly pages: Pages,
    private readonly idempotency: Idempotency,
  ) {}

  @Get()
  @DOCS.list()
  list(@Query() query: ListOrdersQuery): Promise<HttpResponse> {
    return this.pages.respond(PATH, query, (pageQuery) => this.readModel.findPage(pageQuery));
  }

  @Get(':orderId')
  @DOCS.get()
  async get(@OrderId() id: bigint): Promise<HttpResponse> {
    const order = await this.readModel.findById(id);
    if (order === undefined) throw new OrderNotFoundError(id);
    return HttpResponse.rendered(order.text);
  }

  @Post()
  @ApiOperation({ operationId: 'placeOrder', summary: 'Place an order' })
  @DOCS.create(PlaceOrderRequest, { done: 'placed', idempotent: true, errors: ['not_found', 'pet_not_available'] })
  async place(@Body() body: PlaceOrderRequest, @SentIdempotencyKey() key?: IdempotencyKey): Promise<HttpResponse> {
    const order = body.toNewOrder();
    const { petId, quantity, lines, address, shipDate, note } = order;
    const content = HttpResponse.of(['placeOrder', petId, quantity, lines, address, shipDate, note]).body;
    const place = () =>
      this.orders.place(order).then((placed) => ({ id: placed.id, text: HttpResponse.of(placed).body }));
    const { id, text, replayed } = await this.idempotency.once(key, content, place);
    return HttpResponse.created(text, `${PATH}/${id}`, replayed);
  }

  @Post(':orderId/deliver')
  @DOCS.change('deliver', { errors: ['order_closed'] })
  async deliver(@OrderId() id: bigint): Promise<HttpResponse> {
    return HttpResponse.of(await this.orders.close(id, 'deliver'));
  }

  @Post(':orderId/cancel')
  @DOCS.change('cancel', { errors: ['order_closed'] })
  async cancel(@OrderId() id: bigint): Promise<HttpResponse> {
    return HttpResponse.of(await this.orders.close(id, 'cancel'));
  }
}
