import { Body, Controller, Get, NotFoundException, Param, ParseIntPipe, Post, Query } from '@nestjs/common';
import { CreatePetDto, ListPetsQuery } from './pet.dto.js';
import { type Animal, PetsService } from './pets.service.js';

@Controller('v1/pets')
export class PetsController {
  constructor(private readonly pets: PetsService) {}

  @Get()
  list(@Query() query: ListPetsQuery): Promise<Animal[]> {
    return this.pets.list(query);
  }

  @Post()
  create(@Body() pet: CreatePetDto): Promise<Animal> {
    return this.pets.create(pet);
  }

  @Get(':petId')
  async get(@Param('petId', ParseIntPipe) petId: number): Promise<Animal> {
    const pet = await this.pets.get(petId);
    if (pet === null) throw new NotFoundException();
    return pet;
  }
}
