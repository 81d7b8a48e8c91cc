import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PetsController } from '../nest-shared/pets.controller.js';
import { PetsService } from '../nest-shared/pets.service.js';
import { Pet } from './pet.entity.js';
import { TypeOrmPetsService } from './typeorm-pets.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Pet])],
  controllers: [PetsController],
  providers: [{ provide: PetsService, useClass: TypeOrmPetsService }],
})
export class PetsModule {}
