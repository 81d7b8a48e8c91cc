import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { CachedQuery, Optional, PageRequest } from '@animal-store/http';
import { ORDER_STATUSES, type OrderStatus } from '../domain/order.js';

/** The query parameters of listOrders. */
@CachedQuery()
export class ListOrdersQuery extends PageRequest {
  @ApiPropertyOptional({ description: 'Filters by status.', enum: ORDER_STATUSES, enumName: 'OrderStatus' })
  @Optional()
  @IsIn(ORDER_STATUSES)
  readonly status?: OrderStatus;
}
