import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrdersController } from '../../nest-shared/orders/orders.controller.js';
import { OrdersService } from '../../nest-shared/orders/orders.service.js';
import { Order } from './order.entity.js';
import { Pet } from './pet.entity.js';
import { TypeOrmOrdersService } from './typeorm-orders.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Order, Pet])],
  controllers: [OrdersController],
  providers: [{ provide: OrdersService, useClass: TypeOrmOrdersService }],
})
export class OrdersModule {}
