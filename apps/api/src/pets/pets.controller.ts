import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import type { Cancellation, IdempotencyKey } from '@animal-store/kernel';
import { type Pet, type PetPageQuery, PetsService } from '@animal-store/pets-domain';
import { Answer, ClientSignal, Deprecated, type HeaderFields, SentIdempotencyKey } from '@animal-store/http';
import { serializePet } from './animal.response.js';
import { CreatePetRequest } from './create-pet.request.js';
import { GET_PET_DEPRECATION } from './get-pet-deprecation.js';
import { ListPetsQuery } from './list-pets.query.js';
import { PageAnswers } from './page-answers.js';
import { PageCursors } from './page-cursors.js';
import { PetIdPipe } from './pet-id.pipe.js';
import { CreatePetOperation, GetPetOperation, ListPetsOperation, PetsOperations } from './pets.docs.js';

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
  list(@Query() query: ListPetsQuery, @ClientSignal() signal: Cancellation): Promise<Answer> {
    const pageQuery = query.toPageQuery(this.cursors);
    return pageQuery instanceof Promise
      ? pageQuery.then((found) => this.page(found, signal))
      : this.page(pageQuery, signal);
  }

  @Post()
  @CreatePetOperation()
  create(
    @Body() body: CreatePetRequest,
    @SentIdempotencyKey() key: IdempotencyKey | undefined,
    @ClientSignal() signal: Cancellation,
  ): Promise<Answer> {
    const newPet = body.toNewPet();
    if (key === undefined) return this.pets.add(newPet, signal).then((pet) => created(pet));
    return this.pets
      .addOnce(newPet, key)
      .then(({ pet, replayed }) => (replayed ? created(pet, ...REPLAYED) : created(pet)));
  }

  @Get(':petId')
  @GetPetOperation()
  @Deprecated(GET_PET_DEPRECATION)
  get(@Param('petId', PetIdPipe) petId: bigint, @ClientSignal() signal: Cancellation): Promise<Answer> {
    return this.pets.get(petId, signal).then(({ text }) => Answer.rendered(text));
  }

  private page(query: PetPageQuery, signal: Cancellation): Promise<Answer> {
    return this.pets.list(query, signal).then((page) => this.pages.answer(page, query));
  }
}

function created(pet: Pet, ...fields: HeaderFields): Answer {
  return Answer.rendered(serializePet(pet), 'Location', `/v1/pets/${pet.id}`, ...fields);
}
