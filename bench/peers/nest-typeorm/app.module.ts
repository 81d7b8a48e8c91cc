import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyGuard } from '../nest-shared/api-key.guard.js';
import { databaseUrl, poolSize } from '../nest-shared/environment.js';
import { PetsController } from '../nest-shared/pets.controller.js';
import { PetsService } from '../nest-shared/pets.service.js';
import { Pet } from './pet.entity.js';
import { TypeOrmPetsService } from './typeorm-pets.service.js';

@Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'postgres', url: databaseUrl, poolSize, parseInt8: true, autoLoadEntities: true }),
    TypeOrmModule.forFeature([Pet]),
  ],
  controllers: [PetsController],
  providers: [
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: PetsService, useClass: TypeOrmPetsService },
  ],
})
export class AppModule {}
