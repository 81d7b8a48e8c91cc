import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { IdempotencyKey } from '@animal-store/kernel';
import type { Response } from 'express';
import { PetsService, type Pet } from '@animal-store/pets-domain';
import { HttpResponse, Deprecated, Int64IdPipe, Pages, RequestSignal, SentIdempotencyKey } from '@animal-store/http';
import { serializePet } from './pet.response.js';
import { CreatePetRequest } from './create-pet.request.js';
import { GET_PET_DEPRECATION, GET_PET_SUNSET_TEXT } from './get-pet-sunset.js';
import { ListPetsQuery } from './list-pets.query.js';
import { PETS, REFUSED_PET } from './pets.docs.js';

/**
 * Promises are chained here, not awaited, and the signal is created from the response, because Nest passes the value of
 * `@ClientSignal()` through the pipes. Both save promises in every request (docs/performance.md).
 */
@PETS.group('Pets', 'The animals of the catalogue.')
@Controller({ path: 'pets', version: '1' })
export class PetsController {
  constructor(
    private readonly pets: PetsService,
    private readonly pages: Pages,
  ) {}

  @Get()
  @PETS.list()
  list(@Query() query: ListPetsQuery, @Res({ passthrough: true }) response: Response): Promise<HttpResponse> {
    return this.pages.answer('/v1/pets', query, (pageQuery) => this.pets.list(pageQuery, new RequestSignal(response)));
  }

  @Post()
  @PETS.create(CreatePetRequest, {
    description:
      'Adds a new animal to the store. With an `Idempotency-Key` the request can be sent again safely, also when its answer was lost.',
    idempotent: true,
    messages: { invalid_request: REFUSED_PET },
  })
  create(
    @Body() body: CreatePetRequest,
    @SentIdempotencyKey() key: IdempotencyKey | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HttpResponse> {
    const newPet = body.toNewPet();
    if (key === undefined) return this.pets.add(newPet, new RequestSignal(response)).then((pet) => created(pet));
    return this.pets.addOnce(newPet, key).then(({ pet, replayed }) => created(pet, replayed));
  }

  @Get(':petId')
  @PETS.get({
    description: `Returns details of one animal by ID. Deprecated: removed on ${GET_PET_SUNSET_TEXT}. Use \`GET /pets\` with the status filter instead.`,
  })
  @Deprecated(GET_PET_DEPRECATION)
  get(
    @Param('petId', new Int64IdPipe('animal')) petId: bigint,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HttpResponse> {
    return this.pets.get(petId, new RequestSignal(response)).then(({ text }) => HttpResponse.rendered(text));
  }
}

function created(pet: Pet, replayed?: boolean): HttpResponse {
  return HttpResponse.created(serializePet(pet), `/v1/pets/${pet.id}`, replayed);
}
