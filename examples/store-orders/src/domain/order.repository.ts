import { ReadModel } from '@animal-store/kernel';
import type { NewOrder, Order, OrderStatus } from './order.js';

/** Stores the orders. If a unit of work is open, every method takes part in that unit of work. */
export abstract class OrderRepository {
  /** Stores the order under a new id. Ids become visible in ascending order. */
  abstract add(order: NewOrder): Promise<Order>;

  /** Reads the order with this id and locks it: until the end of the unit of work no other `findForUpdate` returns the order. */
  abstract findForUpdate(id: bigint): Promise<Order | undefined>;

  /** Stores a changed order. @returns false if no order has this id */
  abstract save(order: Order): Promise<boolean>;
}

/** Reads the orders as the text of responses, not as objects of the domain. */
export abstract class OrderReadModel extends ReadModel<{ readonly status?: OrderStatus | undefined }> {}
