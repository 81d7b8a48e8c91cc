import { Injectable } from '@nestjs/common';
import type { CreatePetDto } from '../nest-shared/create-pet.dto.js';
import type { ListPetsQuery } from '../nest-shared/list-pets.query.js';
import { type Animal, PetsService } from '../nest-shared/pets.service.js';
import type { Pet } from './generated/client.js';
import { PrismaService } from './prisma.service.js';

@Injectable()
export class PrismaPetsService extends PetsService {
  constructor(private readonly prisma: PrismaService) {
    super();
  }

  override async list({ limit, status }: ListPetsQuery): Promise<Animal[]> {
    const pets = await this.prisma.pet.findMany({
      where: status ? { status } : {},
      orderBy: { id: 'asc' },
      take: limit,
    });
    return pets.map(toPet);
  }

  override async get(id: number): Promise<Animal | null> {
    const pet = await this.prisma.pet.findUnique({ where: { id } });
    return pet && toPet(pet);
  }

  override async create({ name, categoryId, status }: CreatePetDto): Promise<Animal> {
    return toPet(await this.prisma.pet.create({ data: { name, categoryId, status } }));
  }
}

/** Prisma returns a `bigint`, which `JSON.stringify` can't write; the API returns a number. */
function toPet({ id, name, categoryId, status }: Pet): Animal {
  return { id: Number(id), name, categoryId: Number(categoryId), status };
}
