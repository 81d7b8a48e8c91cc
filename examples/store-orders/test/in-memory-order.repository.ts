import { OutsideUnitOfWorkError } from '@animal-store/kernel';
import { InMemoryState, type InMemoryUnitOfWork } from '@animal-store/testing';
import { Order, type NewOrder } from '../src/domain/order.js';
import { OrderRepository } from '../src/domain/order.repository.js';

/** Keeps the orders in an array that takes part in units of work in memory. */
export class InMemoryOrderRepository extends OrderRepository {
  private readonly orders: InMemoryState<readonly Order[]>;

  constructor(private readonly units: InMemoryUnitOfWork) {
    super();
    this.orders = new InMemoryState<readonly Order[]>(units, []);
  }

  /** All orders, in ascending order of id. */
  get all(): readonly Order[] {
    return this.orders.value;
  }

  override add(order: NewOrder): Promise<Order> {
    const { petId, quantity, lines, address, shipDate, note, status, placedAt } = order;
    const id = BigInt(this.all.length + 1);
    const stored = new Order(id, petId, quantity, lines, address, shipDate, note, status, placedAt);
    return this.units.run(() => {
      this.orders.value = [...this.all, stored];
      return Promise.resolve(stored);
    });
  }

  override findForUpdate(id: bigint): Promise<Order | undefined> {
    return this.units.changes === undefined
      ? Promise.reject(new OutsideUnitOfWorkError('findForUpdate'))
      : Promise.resolve(this.all.find((order) => order.id === id));
  }

  override save(order: Order): Promise<boolean> {
    return this.units.run(() => {
      const at = this.all.findIndex(({ id }) => id === order.id);
      if (at >= 0) this.orders.value = this.all.with(at, order);
      return Promise.resolve(at >= 0);
    });
  }
}
