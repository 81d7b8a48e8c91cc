import { Body, Controller, Get, NotFoundException, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CreateOrderDto } from './create-order.dto.js';
import { Int64Pipe } from './int64.js';
import { ListOrdersQuery } from './list-orders.query.js';
import { OrdersService, type StoredOrder } from './orders.service.js';

/** The JSON omits fields without a value. */
type OrderResponse = Omit<StoredOrder, 'shipDate' | 'note'> & {
  shipDate?: Date | undefined;
  note?: string | undefined;
};

@Controller('v1/store/orders')
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get()
  async list(@Query() query: ListOrdersQuery): Promise<OrderResponse[]> {
    return (await this.orders.list(query)).map(toResponse);
  }

  @Post()
  async place(@Body() body: CreateOrderDto, @Res({ passthrough: true }) response: Response): Promise<OrderResponse> {
    const order = await this.orders.place(body);
    response.location(`/v1/store/orders/${order.id}`);
    return toResponse(order);
  }

  @Get(':orderId')
  async get(@Param('orderId', Int64Pipe) orderId: bigint): Promise<OrderResponse> {
    const order = await this.orders.get(orderId);
    if (order === null) throw new NotFoundException();
    return toResponse(order);
  }
}

function toResponse(order: StoredOrder): OrderResponse {
  return {
    id: order.id,
    petId: order.petId,
    quantity: order.quantity,
    lines: order.lines,
    address: order.address,
    shipDate: order.shipDate ?? undefined,
    note: order.note ?? undefined,
    status: order.status,
    placedAt: order.placedAt,
  };
}
