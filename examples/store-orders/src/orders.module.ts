import { Module } from '@nestjs/common';
import { HttpModule, type ErrorCodeDefinition } from '@animal-store/http';
import { UnitOfWork } from '@animal-store/kernel';
import { IdempotencyPersistenceModule } from '@animal-store/persistence/idempotency';
import { PetsPersistenceModule } from '@animal-store/persistence/pets';
import { PetRepository } from '@animal-store/pets-domain';
import { OrderRepository } from './domain/order.repository.js';
import { OrdersService } from './domain/orders.service.js';
import { OrdersController } from './http/orders.controller.js';
import { OrdersPersistenceModule } from './persistence/orders-persistence.module.js';

const ERROR_CODES: ErrorCodeDefinition[] = [
  { code: 'pet_not_available', kind: 'conflict', meaning: 'Somebody else has ordered the animal.' },
  { code: 'order_closed', kind: 'conflict', meaning: 'The order was delivered or cancelled before.' },
];

/** Orders of pets: an order is placed, then delivered or cancelled. */
@Module({
  imports: [
    HttpModule.forFeature({ errorCodes: ERROR_CODES }),
    IdempotencyPersistenceModule,
    OrdersPersistenceModule,
    PetsPersistenceModule,
  ],
  controllers: [OrdersController],
  providers: [
    {
      provide: OrdersService,
      useFactory: (...ports: ConstructorParameters<typeof OrdersService>) => new OrdersService(...ports),
      inject: [UnitOfWork, OrderRepository, PetRepository],
    },
  ],
})
export class OrdersModule {}
