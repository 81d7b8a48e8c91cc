import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiKeyGuard } from '../../nest-shared/api-key.guard.js';
import { databaseUrl, poolSize } from '../../nest-shared/environment.js';
import { OrdersModule } from './orders.module.js';

@Module({
  imports: [
    MikroOrmModule.forRoot({
      driver: PostgreSqlDriver,
      clientUrl: databaseUrl,
      pool: { max: poolSize },
      metadataProvider: ReflectMetadataProvider,
      autoLoadEntities: true,
    }),
    OrdersModule,
  ],
  providers: [{ provide: APP_GUARD, useClass: ApiKeyGuard }],
})
export class AppModule {}
