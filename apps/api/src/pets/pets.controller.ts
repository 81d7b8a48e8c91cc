import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { PetsService, type PetPageQuery } from '@animal-store/pets-domain';
import { Answer } from '../http/answer.js';
import { JsonBody } from '../http/json-body.decorator.js';
import { AnimalResponse } from './animal.response.js';
import { CreatePetRequest } from './create-pet.request.js';
import { ListPetsQuery } from './list-pets.query.js';
import { PageCursors } from './page-cursors.js';
import { PetIdPipe } from './pet-id.pipe.js';
import { CreatePetOperation, GetPetOperation, ListPetsOperation, PetsOperations } from './pets.docs.js';

@PetsOperations()
@Controller('v1/pets')
export class PetsController {
  constructor(
    private readonly pets: PetsService,
    private readonly cursors: PageCursors,
  ) {}

  @Get()
  @ListPetsOperation()
  async list(@Query() query: ListPetsQuery): Promise<Answer<AnimalResponse[]>> {
    const pageQuery = await query.toPageQuery(this.cursors);
    const { pets, nextAfterId } = await this.pets.list(pageQuery);
    const link = nextAfterId === undefined ? {} : { Link: await this.nextLink(pageQuery, nextAfterId) };
    return new Answer(pets.map(AnimalResponse.from), link);
  }

  @Post()
  @CreatePetOperation()
  async create(@JsonBody() body: CreatePetRequest): Promise<Answer<AnimalResponse>> {
    const pet = await this.pets.add(body.toNewPet());
    return new Answer(AnimalResponse.from(pet), { Location: `/v1/pets/${pet.id}` });
  }

  @Get(':petId')
  @GetPetOperation()
  async get(@Param('petId', PetIdPipe) petId: bigint): Promise<AnimalResponse> {
    return AnimalResponse.from(await this.pets.get(petId));
  }

  private async nextLink({ limit, status }: PetPageQuery, afterId: bigint): Promise<string> {
    const query = new URLSearchParams({ limit: String(limit), ...(status && { status }) });
    query.set('cursor', await this.cursors.encode(afterId, status));
    return `</v1/pets?${query.toString()}>; rel="next"`;
  }
}
