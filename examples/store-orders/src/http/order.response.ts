import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ORDER_STATUSES, type OrderStatus } from '../domain/order.js';
import { PlaceOrderRequest } from './place-order.request.js';

/** An order on the wire, as the OpenAPI document describes it. */
@ApiSchema({ name: 'Order', description: 'An order of one animal of the catalogue.' })
export class OrderResponse extends PlaceOrderRequest {
  @ApiProperty({ description: 'Unique identifier.', type: 'integer', format: 'int64', minimum: 1, example: 1 })
  readonly id!: bigint;

  @ApiProperty({ description: 'What has become of it.', enum: ORDER_STATUSES, enumName: 'OrderStatus' })
  readonly status!: OrderStatus;

  @ApiProperty({ description: 'When it was placed.', type: 'string', format: 'date-time' })
  readonly placedAt!: Date;
}
