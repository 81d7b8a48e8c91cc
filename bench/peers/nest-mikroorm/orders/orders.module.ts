import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { OrdersController } from '../../nest-shared/orders/orders.controller.js';
import { OrdersService } from '../../nest-shared/orders/orders.service.js';
import { MikroOrmOrdersService } from './mikroorm-orders.service.js';
import { Order } from './order.entity.js';
import { Pet } from './pet.entity.js';

@Module({
  imports: [MikroOrmModule.forFeature([Order, Pet])],
  controllers: [OrdersController],
  providers: [{ provide: OrdersService, useClass: MikroOrmOrdersService }],
})
export class OrdersModule {}
