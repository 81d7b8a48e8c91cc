/**
 * A module with the same route twice. The handlers of the route do nothing. One route is written as the documentation of Nest
 * and class-validator teaches, the other is written like createPet. Each route exists again with a handler that answers 204,
 * to measure the work before the answer.
 */
import { productFile, productPackage } from './product.mjs';

export const PATHS = {
  answered: { plain: '/v1/plain-route/plain', asCreatePet: '/v1/plain-route/as-create-pet' },
  unanswered: { plain: '/v1/plain-route/plain-unanswered', asCreatePet: '/v1/plain-route/as-create-pet-unanswered' },
};

const STATUSES = ['available', 'pending', 'sold'];

export async function plainRouteModule() {
  const { Body, Controller, HttpCode, Module, Post } = await productPackage('@nestjs/common');
  const { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } = await productPackage('class-validator');
  const { Answer, ClientSignal, IsInt64, SentIdempotencyKey } = await productFile('libs/http/src/index.js');
  const { CreatePetRequest } = await productFile('apps/api/src/pets/create-pet.request.js');
  const { serializePet } = await productFile('apps/api/src/pets/pet.response.js');

  class AnimalDto {}
  decorateField(AnimalDto, 'name', String, [IsString(), IsNotEmpty(), MaxLength(255)]);
  decorateField(AnimalDto, 'categoryId', BigInt, [IsInt64()]);
  decorateField(AnimalDto, 'status', String, [IsOptional(), IsIn(STATUSES)]);

  class PlainRouteController {
    plain({ name, categoryId, status = 'available' }) {
      return { id: 1n, name, categoryId, status };
    }

    plainUnanswered() {}

    asCreatePet(body) {
      const { name, categoryId, status } = body.toNewPet();
      return Answer.rendered(serializePet({ id: 1n, name, categoryId, status }), 'Location', '/v1/plain-route/1');
    }

    asCreatePetUnanswered(body) {
      body.toNewPet();
    }
  }
  const plain = { types: [AnimalDto], parameters: [Body()] };
  const asCreatePet = {
    types: [CreatePetRequest, Object, Object],
    parameters: [Body(), SentIdempotencyKey(), ClientSignal()],
  };
  decorateMethod(PlainRouteController, 'plain', plain, [Post('plain')]);
  decorateMethod(PlainRouteController, 'plainUnanswered', plain, [Post('plain-unanswered'), HttpCode(204)]);
  decorateMethod(PlainRouteController, 'asCreatePet', asCreatePet, [Post('as-create-pet')]);
  decorateMethod(PlainRouteController, 'asCreatePetUnanswered', asCreatePet, [
    Post('as-create-pet-unanswered'),
    HttpCode(204),
  ]);
  Controller({ path: 'plain-route', version: '1' })(PlainRouteController);

  class PlainRouteModule {}
  Module({ controllers: [PlainRouteController] })(PlainRouteModule);
  return PlainRouteModule;
}

/** Writes the same metadata as the compiler with `emitDecoratorMetadata`. */
function decorateField({ prototype }, name, type, decorators) {
  Reflect.defineMetadata('design:type', type, prototype, name);
  for (const decorate of decorators.toReversed()) decorate(prototype, name);
}

function decorateMethod({ prototype }, name, { types, parameters }, decorators) {
  Reflect.defineMetadata('design:paramtypes', types, prototype, name);
  for (const [index, decorate] of [...parameters.entries()].toReversed()) decorate(prototype, name, index);
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  for (const decorate of decorators.toReversed()) decorate(prototype, name, descriptor);
}
