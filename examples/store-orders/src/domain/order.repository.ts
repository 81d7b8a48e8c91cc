import { ReadModel } from '@animal-store/kernel';
import type { NewOrder, Order, OrderStatus } from './order.js';

/** Where the orders are kept. Inside a unit of work every method takes part in it. */
export abstract class OrderRepository {
  /** Stores the order under a new id. Ids become visible in ascending order. */
  abstract add(order: NewOrder): Promise<Order>;

  /** The order with this id, to be changed and saved: until the end of the unit of work nobody else gets it so. */
  abstract findForUpdate(id: bigint): Promise<Order | undefined>;

  /** Stores what became of an order. @returns false where no order has its id */
  abstract save(order: Order): Promise<boolean>;
}

/** The orders as those get them who only pass them on. */
export abstract class OrderReadModel extends ReadModel<{ readonly status?: OrderStatus | undefined }> {}
