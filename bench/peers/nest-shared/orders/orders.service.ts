import { ConflictException, NotFoundException } from '@nestjs/common';
import type { AddressDto, CreateOrderDto, OrderLineDto } from './create-order.dto.js';
import type { ListOrdersQuery } from './list-orders.query.js';
import type { OrderStatus } from './order-status.js';

/** An order as it is stored. */
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

/** What each Nest peer writes with its own database library; all the rest they share. */
export abstract class OrdersService {
  abstract list(query: ListOrdersQuery): Promise<StoredOrder[]>;
  abstract get(id: bigint): Promise<StoredOrder | null>;

  /** Claims the pet and stores the order, in one transaction. */
  abstract place(order: CreateOrderDto): Promise<StoredOrder>;
}

/** Refuses to order a pet that is not there, or not available. */
export function assertAvailable<Pet extends { status: string }>(pet: Pet | null): asserts pet is Pet {
  if (pet === null) throw new NotFoundException({ status: 404, code: 'not_found', message: 'There is no such pet' });
  if (pet.status !== 'available') {
    const message = `The pet is ${pet.status}, not available`;
    throw new ConflictException({ status: 409, code: 'pet_not_available', message });
  }
}
