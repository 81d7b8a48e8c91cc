import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { CreatePetDto, ListPetsQuery } from '../nest-shared/pet.dto.js';
import { PetsService } from '../nest-shared/pets.service.js';
import { Pet } from './pet.entity.js';

@Injectable()
export class TypeOrmPetsService extends PetsService {
  constructor(@InjectRepository(Pet) private readonly pets: Repository<Pet>) {
    super();
  }

  override list({ limit, status }: ListPetsQuery): Promise<Pet[]> {
    return this.pets.find({ where: status ? { status } : {}, order: { id: 'ASC' }, take: limit });
  }

  override get(id: number): Promise<Pet | null> {
    return this.pets.findOneBy({ id });
  }

  override create({ name, categoryId, status }: CreatePetDto): Promise<Pet> {
    return this.pets.save(this.pets.create({ name, categoryId, status }));
  }
}
