import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyGuard } from '../../nest-shared/api-key.guard.js';
import { databaseUrl, poolSize } from '../../nest-shared/environment.js';
import { OrdersModule } from './orders.module.js';

@Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'postgres', url: databaseUrl, poolSize, autoLoadEntities: true }),
    OrdersModule,
  ],
  providers: [{ provide: APP_GUARD, useClass: ApiKeyGuard }],
})
export class AppModule {}
