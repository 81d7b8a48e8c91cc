import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { Scopes } from '@animal-store/auth';
import type { IdempotencyKey } from '@animal-store/kernel';
import { PetsService, type Pet } from '@animal-store/pets-domain';
import { ApiResource, Deprecated, HttpResponse, Int64IdPipe, Pages, SentIdempotencyKey } from '@animal-store/http';
import { CreatePetRequest, ListPetsQuery, PetResponse, serializePet } from './pet.dto.js';

/** The descriptions of the operations in the OpenAPI document. */
const DOCS = new ApiResource({ name: 'Pet', one: 'animal', type: PetResponse });

@DOCS.group('Pets', 'The animals of the catalogue.')
@Controller({ path: 'pets', version: '1' })
export class PetsController {
  constructor(
    private readonly pets: PetsService,
    private readonly pages: Pages,
  ) {}

  @Get()
  @Scopes('pets:read')
  @DOCS.list()
  list(@Query() query: ListPetsQuery): Promise<HttpResponse> {
    return this.pages.respond('/v1/pets', query, (pageQuery) => this.pets.list(pageQuery));
  }

  @Post()
  @Scopes('pets:write')
  @DOCS.create(CreatePetRequest, {
    description:
      'Adds a new animal to the store. With an `Idempotency-Key`, the request can be repeated safely if its response was lost.',
    idempotent: true,
  })
  async create(
    @Body() body: CreatePetRequest,
    @SentIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HttpResponse> {
    const newPet = body.toNewPet();
    if (key === undefined) return created(await this.pets.add(newPet));
    // Carried out even if the client leaves: the client will ask again, under the same key.
    const { added, replayed } = await this.pets.addOnce(newPet, key);
    return created(added, replayed);
  }

  @Get(':petId')
  @Scopes('pets:read')
  @DOCS.get({
    description: 'Returns details of one animal by ID. Use `GET /pets` with the status filter instead.',
  })
  @Deprecated({ since: '2026-11-20', sunset: '2030-12-05', successor: '/v1/pets' })
  async get(@Param('petId', new Int64IdPipe('animal')) petId: bigint): Promise<HttpResponse> {
    const { text } = await this.pets.get(petId);
    return HttpResponse.rendered(text);
  }
}

function created(pet: Pet, replayed?: boolean): HttpResponse {
  return HttpResponse.created(serializePet(pet), `/v1/pets/${pet.id}`, replayed);
}
