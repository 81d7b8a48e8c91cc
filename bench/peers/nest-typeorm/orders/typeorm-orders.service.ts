import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import type { CreateOrderDto } from '../../nest-shared/orders/create-order.dto.js';
import type { ListOrdersQuery } from '../../nest-shared/orders/list-orders.query.js';
import { assertAvailable, OrdersService } from '../../nest-shared/orders/orders.service.js';
import { Order } from './order.entity.js';
import { Pet } from './pet.entity.js';

@Injectable()
export class TypeOrmOrdersService extends OrdersService {
  constructor(
    @InjectRepository(Order) private readonly orders: Repository<Order>,
    private readonly dataSource: DataSource,
  ) {
    super();
  }

  override list({ limit, status }: ListOrdersQuery): Promise<Order[]> {
    return this.orders.find({ where: status ? { status } : {}, order: { id: 'ASC' }, take: limit });
  }

  override get(id: bigint): Promise<Order | null> {
    return this.orders.findOneBy({ id });
  }

  override place({ petId, quantity, lines, address, shipDate, note }: CreateOrderDto): Promise<Order> {
    return this.dataSource.transaction(async (manager) => {
      const pet = await manager.findOne(Pet, { where: { id: petId }, lock: { mode: 'pessimistic_write' } });
      assertAvailable(pet);
      await manager.update(Pet, { id: petId }, { status: 'pending' });
      const order = manager.create(Order, {
        petId,
        quantity,
        lines,
        address,
        shipDate: shipDate === undefined ? null : new Date(shipDate),
        note: note ?? null,
        status: 'placed',
        placedAt: new Date(),
      });
      return manager.save(order);
    });
  }
}
