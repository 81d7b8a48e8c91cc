import { Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { PetsService, renderPet, type Pet } from '@animal-store/pets-domain';
import type { Response } from 'express';
import { Answer, type HeaderFields } from '../http/answer.js';
import { idempotencyKeyOf } from '../http/idempotency-key.js';
import { JsonBody } from '../http/json-body.decorator.js';
import { CreatePetRequest } from './create-pet.request.js';
import { ListPetsQuery } from './list-pets.query.js';
import { PageAnswers } from './page-answers.js';
import { PageCursors } from './page-cursors.js';
import { PetIdPipe } from './pet-id.pipe.js';
import { CreatePetOperation, GetPetOperation, ListPetsOperation, PetsOperations } from './pets.docs.js';

/** The response only tells whether the client is still there; Nest writes what the handler returns. */
const HANDLED_BY_NEST = { passthrough: true };

/** Says that the answer is the one of an earlier request with the same `Idempotency-Key`. */
const REPLAYED = ['Idempotent-Replayed', 'true'];

@PetsOperations()
@Controller('v1/pets')
export class PetsController {
  constructor(
    private readonly pets: PetsService,
    private readonly pages: PageAnswers,
    private readonly cursors: PageCursors,
  ) {}

  @Get()
  @ListPetsOperation()
  async list(@Query() query: ListPetsQuery, @Res(HANDLED_BY_NEST) reader: Response): Promise<Answer> {
    const pageQuery = await query.toPageQuery(this.cursors);
    return this.pages.answer(await this.pets.list(pageQuery, reader), pageQuery);
  }

  @Post()
  @CreatePetOperation()
  async create(@JsonBody() body: CreatePetRequest, @Res(HANDLED_BY_NEST) sender: Response): Promise<Answer> {
    const newPet = body.toNewPet();
    const key = idempotencyKeyOf(sender.req);
    if (key === undefined) return created(await this.pets.add(newPet, sender));
    const { pet, replayed } = await this.pets.addOnce(newPet, key);
    return replayed ? created(pet, ...REPLAYED) : created(pet);
  }

  @Get(':petId')
  @GetPetOperation()
  async get(@Param('petId', PetIdPipe) petId: bigint, @Res(HANDLED_BY_NEST) reader: Response): Promise<Answer> {
    return Answer.rendered((await this.pets.get(petId, reader)).json);
  }
}

function created(pet: Pet, ...fields: HeaderFields): Answer {
  return Answer.rendered(renderPet(pet).json, 'Location', `/v1/pets/${pet.id}`, ...fields);
}
