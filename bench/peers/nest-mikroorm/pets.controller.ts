import { EntityManager } from '@mikro-orm/postgresql';
import { Body, Controller, Get, NotFoundException, Param, ParseIntPipe, Post, Query } from '@nestjs/common';
import { CreatePetDto, ListPetsQuery, Pet } from './pet.js';

@Controller('v1/pets')
export class PetsController {
  constructor(private readonly em: EntityManager) {}

  @Get()
  list(@Query() { limit, status }: ListPetsQuery): Promise<Pet[]> {
    return this.em.find(Pet, status ? { status } : {}, { orderBy: { id: 'asc' }, limit });
  }

  @Post()
  async create(@Body() { name, categoryId, status }: CreatePetDto): Promise<Pet> {
    const pet = this.em.create(Pet, { name, categoryId, status });
    await this.em.flush();
    return pet;
  }

  @Get(':petId')
  async get(@Param('petId', ParseIntPipe) id: number): Promise<Pet> {
    const pet = await this.em.findOne(Pet, { id });
    if (pet === null) throw new NotFoundException();
    return pet;
  }
}
