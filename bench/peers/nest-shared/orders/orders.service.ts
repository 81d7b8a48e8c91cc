import { ConflictException, NotFoundException } from '@nestjs/common';
import type { AddressDto, CreateOrderDto, OrderLineDto } from './create-order.dto.js';
import type { ListOrdersQuery } from './list-orders.query.js';
import type { OrderStatus } from './order-status.js';

/** A stored order. */
export interface StoredOrder {
  id: bigint;
  petId: bigint;
  quantity: number;
  lines: OrderLineDto[];
  address: AddressDto;
  shipDate: Date | null;
  note: string | null;
  status: OrderStatus;
  placedAt: Date;
}

/** Each Nest peer implements this class with its own database library; the peers share all other code. */
export abstract class OrdersService {
  abstract list(query: ListOrdersQuery): Promise<StoredOrder[]>;
  abstract get(id: bigint): Promise<StoredOrder | null>;

  /** Claims the pet and stores the order, in one transaction. */
  abstract place(order: CreateOrderDto): Promise<StoredOrder>;
}

/** Throws if the pet does not exist or is not available. */
export function assertAvailable<Pet extends { status: string }>(pet: Pet | null): asserts pet is Pet {
  if (pet === null) throw new NotFoundException({ status: 404, code: 'not_found', message: 'There is no such pet' });
  if (pet.status !== 'available') {
    const message = `The pet is ${pet.status}, not available`;
    throw new ConflictException({ status: 409, code: 'pet_not_available', message });
  }
}
