import { Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { PetsService, renderPet, type Pet, type PetPageQuery } from '@animal-store/pets-domain';
import type { Response } from 'express';
import { Answer, Deprecated, type HeaderFields, idempotencyKeyOf, JsonBody } from '@animal-store/http';
import { CreatePetRequest } from './create-pet.request.js';
import { GET_PET_DEPRECATION } from './get-pet-deprecation.js';
import { ListPetsQuery } from './list-pets.query.js';
import { PageAnswers } from './page-answers.js';
import { PageCursors } from './page-cursors.js';
import { PetIdPipe } from './pet-id.pipe.js';
import { CreatePetOperation, GetPetOperation, ListPetsOperation, PetsOperations } from './pets.docs.js';

/** The response only tells whether the client is still there; Nest writes what the handler returns. */
const HANDLED_BY_NEST = { passthrough: true };

/** Says that the answer is the one of an earlier request with the same `Idempotency-Key`. */
const REPLAYED = ['Idempotent-Replayed', 'true'];

/** Promises are chained here, not awaited: every `await` is a promise more for every request (docs/performance.md). */
@PetsOperations()
@Controller({ path: 'pets', version: '1' })
export class PetsController {
  constructor(
    private readonly pets: PetsService,
    private readonly pages: PageAnswers,
    private readonly cursors: PageCursors,
  ) {}

  @Get()
  @ListPetsOperation()
  list(@Query() query: ListPetsQuery, @Res(HANDLED_BY_NEST) requester: Response): Promise<Answer> {
    const pageQuery = query.toPageQuery(this.cursors);
    return pageQuery instanceof Promise
      ? pageQuery.then((found) => this.page(found, requester))
      : this.page(pageQuery, requester);
  }

  @Post()
  @CreatePetOperation()
  create(@JsonBody() body: CreatePetRequest, @Res(HANDLED_BY_NEST) requester: Response): Promise<Answer> {
    const newPet = body.toNewPet();
    const key = idempotencyKeyOf(requester.req);
    if (key === undefined) return this.pets.add(newPet, requester).then((pet) => created(pet));
    return this.pets
      .addOnce(newPet, key)
      .then(({ pet, replayed }) => (replayed ? created(pet, ...REPLAYED) : created(pet)));
  }

  @Get(':petId')
  @GetPetOperation()
  @Deprecated(GET_PET_DEPRECATION)
  get(@Param('petId', PetIdPipe) petId: bigint, @Res(HANDLED_BY_NEST) requester: Response): Promise<Answer> {
    return this.pets.get(petId, requester).then(({ json }) => Answer.rendered(json));
  }

  private page(query: PetPageQuery, requester: Response): Promise<Answer> {
    return this.pets.list(query, requester).then((page) => this.pages.answer(page, query));
  }
}

function created(pet: Pet, ...fields: HeaderFields): Answer {
  return Answer.rendered(renderPet(pet).json, 'Location', `/v1/pets/${pet.id}`, ...fields);
}
