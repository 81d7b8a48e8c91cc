import { BigIntType, JsonType } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { AddressDto, OrderLineDto } from '../../nest-shared/orders/create-order.dto.js';
import type { OrderStatus } from '../../nest-shared/orders/order-status.js';

@Entity({ tableName: 'store_orders' })
@Index({ properties: ['status', 'id'] })
export class Order {
  @PrimaryKey({ type: new BigIntType('bigint'), autoincrement: true })
  id!: bigint;

  @Property({ type: new BigIntType('bigint') })
  petId!: bigint;

  @Property({ type: 'smallint' })
  quantity!: number;

  @Property({ type: JsonType, columnType: 'json' })
  lines!: OrderLineDto[];

  @Property({ type: JsonType, columnType: 'json' })
  address!: AddressDto;

  @Property({ type: 'timestamptz', nullable: true })
  shipDate!: Date | null;

  @Property({ type: 'string', length: 2000, nullable: true })
  note!: string | null;

  @Property({ type: 'text' })
  status!: OrderStatus;

  @Property({ type: 'timestamptz' })
  placedAt!: Date;
}
