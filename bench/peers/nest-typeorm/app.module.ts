import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyGuard } from '../nest-shared/api-key.guard.js';
import { databaseUrl, poolSize } from '../nest-shared/environment.js';
import { PetsModule } from './pets.module.js';

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: databaseUrl,
      poolSize,
      parseInt8: true,
      autoLoadEntities: true,
    }),
    PetsModule,
  ],
  providers: [{ provide: APP_GUARD, useClass: ApiKeyGuard }],
})
export class AppModule {}
