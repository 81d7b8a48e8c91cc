import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { AddressDto, OrderLineDto } from '../../nest-shared/orders/create-order.dto.js';
import type { OrderStatus } from '../../nest-shared/orders/order-status.js';
import { int64 } from './int64.transformer.js';

@Entity('store_orders')
@Index(['status', 'id'])
export class Order {
  @PrimaryColumn({ type: 'bigint', generated: 'identity', generatedIdentity: 'BY DEFAULT', transformer: int64 })
  id!: bigint;

  @Column({ name: 'pet_id', type: 'bigint', transformer: int64 })
  petId!: bigint;

  @Column({ type: 'smallint' })
  quantity!: number;

  @Column({ type: 'json' })
  lines!: OrderLineDto[];

  @Column({ type: 'json' })
  address!: AddressDto;

  @Column({ name: 'ship_date', type: 'timestamptz', nullable: true })
  shipDate!: Date | null;

  @Column({ type: 'varchar', length: 2000, nullable: true })
  note!: string | null;

  @Column({ type: 'text' })
  status!: OrderStatus;

  @Column({ name: 'placed_at', type: 'timestamptz' })
  placedAt!: Date;
}
