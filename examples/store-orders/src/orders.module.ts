import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { HttpModule, type ErrorCodeDefinition } from '@animal-store/http';
import { IdempotencyPersistenceModule } from '@animal-store/persistence/idempotency';
import { PetsPersistenceModule } from '@animal-store/persistence/pets';
import { Order } from './order.entity.js';
import { OrdersController } from './orders.controller.js';
import { OrdersService } from './orders.service.js';

const ERROR_CODES: ErrorCodeDefinition[] = [
  { code: 'pet_not_available', kind: 'conflict', meaning: 'Somebody else has ordered the animal.' },
  { code: 'order_closed', kind: 'conflict', meaning: 'The order was delivered or cancelled before.' },
];

/** Orders of pets: an order is placed, then delivered or cancelled. */
@Module({
  imports: [
    HttpModule.forFeature({ errorCodes: ERROR_CODES }),
    IdempotencyPersistenceModule,
    MikroOrmModule.forFeature([Order]),
    PetsPersistenceModule,
  ],
  controllers: [OrdersController],
  providers: [OrdersService],
})
export class OrdersModule {}
