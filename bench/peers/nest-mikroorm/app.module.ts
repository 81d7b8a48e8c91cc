import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiKeyGuard } from '../nest-shared/api-key.guard.js';
import { databaseUrl, poolSize } from '../nest-shared/environment.js';
import { PetsController } from '../nest-shared/pets.controller.js';
import { PetsService } from '../nest-shared/pets.service.js';
import { MikroOrmPetsService } from './mikroorm-pets.service.js';
import { Pet } from './pet.entity.js';

@Module({
  imports: [
    MikroOrmModule.forRoot({
      driver: PostgreSqlDriver,
      clientUrl: databaseUrl,
      pool: { max: poolSize },
      metadataProvider: ReflectMetadataProvider,
      autoLoadEntities: true,
    }),
    MikroOrmModule.forFeature([Pet]),
  ],
  controllers: [PetsController],
  providers: [
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: PetsService, useClass: MikroOrmPetsService },
  ],
})
export class AppModule {}
