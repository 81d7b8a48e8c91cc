import { applyDecorators } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  getSchemaPath,
} from '@nestjs/swagger';
import { ApiErrors, ApiGroup, ApiNotModified } from '@animal-store/http';
import { AnimalResponse } from './animal.response.js';
import { CreatePetRequest } from './create-pet.request.js';

/** What the OpenAPI document says of the operations; what they do is in the controller. */

const ETAG = {
  ETag: { description: 'Strong entity tag of the body, for `If-None-Match`.', schema: { type: 'string' as const } },
};

const REX = { id: 1, name: 'Rex', categoryId: 7, status: 'available' };

export function PetsOperations(): ClassDecorator {
  return applyDecorators(
    ApiGroup('Pets', 'The animals of the catalogue.'),
    ApiBearerAuth('bearerAuth'),
    ApiExtraModels(AnimalResponse),
  );
}

export function ListPetsOperation(): MethodDecorator {
  return applyDecorators(
    ApiOperation({
      operationId: 'listPets',
      summary: 'List all animals',
      description:
        'Returns a paginated list of animals in ascending order of id. Where more follow, the answer carries ' +
        '`Link: <…>; rel="next"`: the address of the next page. Following it visits every animal exactly once, ' +
        'while others are being added.',
    }),
    ApiOkResponse({
      description: 'Success.',
      headers: {
        ...ETAG,
        Link: { description: 'The next page, where there is one (RFC 8288).', schema: { type: 'string' } },
      },
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Pets' }, example: [REX] } },
    }),
    ApiNotModified(),
    ApiErrors(),
  );
}

export function CreatePetOperation(): MethodDecorator {
  return applyDecorators(
    ApiOperation({
      operationId: 'createPet',
      summary: 'Add an animal',
      description:
        'Adds a new animal to the store. With an `Idempotency-Key` the request can be sent again safely, also when ' +
        'its answer was lost.',
    }),
    ApiHeader({
      name: 'Idempotency-Key',
      description:
        'Names this request, best with a new UUID: however often it is sent within 24 hours, at once or again, by ' +
        'holders of the same API key, one animal is added, and each answer is the first one. Bodies are the same ' +
        'when they mean the same animal. Only additions are remembered: after an error send the request again as it is, ' +
        'or correct it under the same key.',
      required: false,
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
    }),
    ApiBody({ type: CreatePetRequest, required: true, description: 'The animal to be added.' }),
    ApiCreatedResponse({
      description: 'Animal added.',
      headers: {
        ...ETAG,
        Location: { description: 'The address of the animal.', schema: { type: 'string' }, example: '/v1/pets/1' },
        'Idempotent-Replayed': {
          description: '`true` when an earlier request with the same `Idempotency-Key` had added the animal.',
          schema: { type: 'string', enum: ['true'] },
        },
      },
      content: { 'application/json': { schema: { $ref: getSchemaPath(AnimalResponse) }, example: REX } },
    }),
    ApiErrors('payload_too_large', 'unsupported_media_type', 'idempotency_key_reused'),
  );
}

export function GetPetOperation(): MethodDecorator {
  return applyDecorators(
    ApiOperation({
      operationId: 'getPet',
      summary: 'Get an animal',
      description:
        'Returns details of one animal by ID. Deprecated: removed on 5 December 2030. ' +
        'Use `GET /pets` with the status filter instead.',
    }),
    ApiParam({
      name: 'petId',
      description: 'The ID of the animal to retrieve.',
      schema: { type: 'integer', format: 'int64', minimum: 1, example: 1 },
    }),
    ApiOkResponse({
      description: 'Found.',
      headers: ETAG,
      content: { 'application/json': { schema: { $ref: getSchemaPath(AnimalResponse) }, example: REX } },
    }),
    ApiNotModified(),
    ApiErrors('not_found'),
  );
}
