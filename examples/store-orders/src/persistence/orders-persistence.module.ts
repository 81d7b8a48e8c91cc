import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { Tables } from '@animal-store/persistence/tables';
import { OrderReadModel, OrderRepository } from '../domain/order.repository.js';
import { OrderMapping, ORDERS } from './order.mapping.js';

/** Implements the ports of the orders with a declared table of the database. */
@Module({
  imports: [MikroOrmModule.forFeature([OrderMapping])],
  providers: [
    { provide: OrderRepository, useFactory: (tables: Tables): OrderRepository => tables.of(ORDERS), inject: [Tables] },
    {
      provide: OrderReadModel,
      useFactory: (tables: Tables): OrderReadModel => tables.readModelOf(ORDERS),
      inject: [Tables],
    },
  ],
  exports: [OrderRepository, OrderReadModel],
})
export class OrdersPersistenceModule {}
