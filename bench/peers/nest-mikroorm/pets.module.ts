import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { PetsController } from '../nest-shared/pets.controller.js';
import { PetsService } from '../nest-shared/pets.service.js';
import { MikroOrmPetsService } from './mikroorm-pets.service.js';
import { Pet } from './pet.entity.js';

@Module({
  imports: [MikroOrmModule.forFeature([Pet])],
  controllers: [PetsController],
  providers: [{ provide: PetsService, useClass: MikroOrmPetsService }],
})
export class PetsModule {}
