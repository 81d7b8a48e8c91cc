import type { UnitOfWork } from '@animal-store/kernel';
import { PetNotFoundError, type PetRepository } from '@animal-store/pets-domain';
import { OrderNotFoundError } from './order.errors.js';
import { ORDER_TRANSITIONS, type NewOrder, type Order, type OrderTransition } from './order.js';
import type { OrderRepository } from './order.repository.js';

/** The use cases of orders: an order and the pet that it claims change together, or not at all. */
export class OrdersService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly orders: OrderRepository,
    private readonly pets: PetRepository,
  ) {}

  /** Claims the pet and stores the order. @throws PetNotFoundError, and PetTransitionError if the pet is not available */
  place(order: NewOrder): Promise<Order> {
    return this.unitOfWork.run(async () => {
      const pet = await this.pets.findForUpdate(order.petId);
      if (pet === undefined) throw new PetNotFoundError(order.petId);
      await this.pets.save(pet.reserve());
      // `add` comes last, because every other `add` waits until the end of this unit of work.
      return await this.orders.add(order);
    });
  }

  /** Closes the order; sells or releases the pet. @throws OrderNotFoundError, and OrderClosedError if the order is closed */
  close(id: bigint, transition: OrderTransition): Promise<Order> {
    return this.unitOfWork.run(async () => {
      const order = await this.orders.findForUpdate(id);
      if (order === undefined) throw new OrderNotFoundError(id);
      const closed = order.after(transition);
      const pet = await this.pets.findForUpdate(order.petId);
      if (pet === undefined) throw new PetNotFoundError(order.petId);
      await this.pets.save(pet[ORDER_TRANSITIONS[transition].pet]());
      await this.orders.save(closed);
      return closed;
    });
  }
}
