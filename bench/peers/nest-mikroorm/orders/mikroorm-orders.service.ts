import { LockMode } from '@mikro-orm/core';
import { InjectRepository } from '@mikro-orm/nestjs';
import { EntityManager, EntityRepository } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { CreateOrderDto } from '../../nest-shared/orders/create-order.dto.js';
import type { ListOrdersQuery } from '../../nest-shared/orders/list-orders.query.js';
import { assertAvailable, OrdersService } from '../../nest-shared/orders/orders.service.js';
import { Order } from './order.entity.js';
import { Pet } from './pet.entity.js';

@Injectable()
export class MikroOrmOrdersService extends OrdersService {
  constructor(
    @InjectRepository(Order) private readonly orders: EntityRepository<Order>,
    private readonly em: EntityManager,
  ) {
    super();
  }

  override list({ limit, status }: ListOrdersQuery): Promise<Order[]> {
    return this.orders.find(status ? { status } : {}, { orderBy: { id: 'asc' }, limit });
  }

  override get(id: bigint): Promise<Order | null> {
    return this.orders.findOne({ id });
  }

  override place({ petId, quantity, lines, address, shipDate, note }: CreateOrderDto): Promise<Order> {
    return this.em.transactional(async (em) => {
      const pet = await em.findOne(Pet, { id: petId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      assertAvailable(pet);
      pet.status = 'pending';
      return em.create(Order, {
        petId,
        quantity,
        lines,
        address,
        shipDate: shipDate === undefined ? null : new Date(shipDate),
        note: note ?? null,
        status: 'placed',
        placedAt: new Date(),
      });
    });
  }
}
