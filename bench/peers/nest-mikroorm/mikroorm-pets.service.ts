import { InjectRepository } from '@mikro-orm/nestjs';
import { EntityManager, EntityRepository } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { CreatePetDto, ListPetsQuery } from '../nest-shared/pet.dto.js';
import { PetsService } from '../nest-shared/pets.service.js';
import { Pet } from './pet.entity.js';

@Injectable()
export class MikroOrmPetsService extends PetsService {
  constructor(
    @InjectRepository(Pet) private readonly pets: EntityRepository<Pet>,
    private readonly em: EntityManager,
  ) {
    super();
  }

  override list({ limit, status }: ListPetsQuery): Promise<Pet[]> {
    return this.pets.find(status ? { status } : {}, { orderBy: { id: 'asc' }, limit });
  }

  override get(id: number): Promise<Pet | null> {
    return this.pets.findOne({ id });
  }

  override async create({ name, categoryId, status }: CreatePetDto): Promise<Pet> {
    const pet = this.pets.create({ name, categoryId, status });
    await this.em.flush();
    return pet;
  }
}
