import { EntityManager, LockMode } from '@mikro-orm/core';
import { Injectable } from '@nestjs/common';
import { UnitOfWork, type PageQuery } from '@animal-store/kernel';
import { lockAdditions } from '@animal-store/persistence';
import { PetNotFoundError, PetRepository, type Pet } from '@animal-store/pets-domain';
import { Order, ORDER_TRANSITIONS, type NewOrder, type OrderStatus, type OrderTransition } from './order.entity.js';
import { OrderNotFoundError } from './order.errors.js';

/** The use cases of orders: an order and the pet that it claims change together, or not at all. */
@Injectable()
export class OrdersService {
  constructor(
    private readonly em: EntityManager,
    private readonly units: UnitOfWork,
    private readonly pets: PetRepository,
  ) {}

  /** @returns one more than the limit if more orders follow */
  list({ limit, afterId, status }: PageQuery & { readonly status?: OrderStatus | undefined }): Promise<Order[]> {
    const where = { ...(afterId !== undefined && { id: { $gt: afterId } }), ...(status !== undefined && { status }) };
    return this.em.find(Order, where, { orderBy: { id: 'asc' }, limit: limit + 1 });
  }

  /** @throws OrderNotFoundError */
  get(id: bigint): Promise<Order> {
    return this.em.findOneOrFail(Order, { id }, { failHandler: () => new OrderNotFoundError(id) });
  }

  /** Claims the pet and stores the order. @throws PetNotFoundError, and PetTransitionError if the pet is not available */
  place(order: NewOrder): Promise<Order> {
    return this.units.run(async () => {
      const pet = await this.findPet(order.petId);
      await this.pets.save(pet.reserve());
      // Last, because everybody else who places an order waits until the end of this unit of work.
      await lockAdditions(this.em, 'store_orders');
      const placed = this.em.create(Order, { ...order, status: 'placed', placedAt: new Date() });
      await this.em.flush();
      return placed;
    });
  }

  /** Closes the order; sells or releases the pet. @throws OrderNotFoundError, and OrderClosedError if the order is closed */
  close(id: bigint, transition: OrderTransition): Promise<Order> {
    return this.units.run(async () => {
      const order = await this.em.findOne(Order, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (order === null) throw new OrderNotFoundError(id);
      order.close(transition);
      const pet = await this.findPet(order.petId);
      await this.pets.save(pet[ORDER_TRANSITIONS[transition].pet]());
      return order;
    });
  }

  private async findPet(id: bigint): Promise<Pet> {
    const pet = await this.pets.findForUpdate(id);
    if (pet === undefined) throw new PetNotFoundError(id);
    return pet;
  }
}
