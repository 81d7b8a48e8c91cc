import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Scopes } from '@animal-store/auth';
import {
  Deprecated,
  headersOf,
  HttpResponse,
  Int64IdPipe,
  NoQuery,
  Pages,
  SentIdempotencyKey,
} from '@animal-store/http';
import type { IdempotencyKey } from '@animal-store/kernel';
import { NewPet, PetsService, type Pet } from '@animal-store/pets-domain';
import { CreatePetRequest, ListPetsQuery, PetResponse, serializePet } from './pet.dto.js';

const PATH = '/v1/pets';

@ApiTags('Pets')
@Controller({ path: 'pets', version: '1' })
export class PetsController {
  constructor(
    private readonly pets: PetsService,
    private readonly pages: Pages,
  ) {}

  @Get()
  @Scopes('pets:read')
  @ApiOperation({
    operationId: 'listPets',
    summary: 'List all animals',
    description:
      'Returns a paginated list of animals in ascending order of id. If more follow, the response has the header ' +
      '`Link: <…>; rel="next"` with the address of the next page. If you follow these links, you get every ' +
      'animal exactly once, even while others are added.',
  })
  @ApiOkResponse({
    description: 'Success.',
    headers: headersOf('Link'),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Pets' } } },
  })
  list(@Query() query: ListPetsQuery): Promise<HttpResponse> {
    return this.pages.respond(PATH, query, (pageQuery) => this.pets.list(pageQuery));
  }

  @Post()
  @NoQuery()
  @Scopes('pets:write')
  @ApiOperation({
    operationId: 'createPet',
    summary: 'Add an animal',
    description:
      'Adds a new animal to the store. With an `Idempotency-Key`, the request can be repeated safely if its response was lost.',
  })
  @ApiBody({ type: CreatePetRequest, required: true, description: 'The animal to be added.' })
  @ApiCreatedResponse({
    description: 'Animal added.',
    type: PetResponse,
    headers: headersOf('Location', 'Idempotent-Replayed'),
  })
  async create(
    @Body() body: CreatePetRequest,
    @SentIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HttpResponse> {
    const newPet = new NewPet(body.name, body.categoryId, body.status);
    if (key === undefined) return created(await this.pets.add(newPet));
    // Carried out even if the client leaves: the client will ask again, under the same key.
    const { added, replayed } = await this.pets.addOnce(newPet, key);
    return created(added, replayed);
  }

  @Get(':petId')
  @NoQuery()
  @Scopes('pets:read')
  @ApiOperation({
    operationId: 'getPet',
    summary: 'Get an animal',
    description: 'Returns details of one animal by ID. Use `GET /pets` with the status filter instead.',
  })
  @ApiParam({
    name: 'petId',
    description: 'The ID of the animal to retrieve.',
    schema: { type: 'integer', format: 'int64', minimum: 1 },
    example: 1,
  })
  @ApiOkResponse({ description: 'Found.', type: PetResponse })
  @Deprecated({ since: '2026-11-20', sunset: '2030-12-05', successor: PATH })
  async get(@Param('petId', new Int64IdPipe('animal')) petId: bigint): Promise<HttpResponse> {
    return HttpResponse.rendered(await this.pets.get(petId));
  }
}

function created(pet: Pet, replayed?: boolean): HttpResponse {
  return HttpResponse.created(serializePet(pet), `${PATH}/${pet.id}`, replayed);
}
