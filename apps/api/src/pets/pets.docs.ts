import { ApiResource } from '@animal-store/http';
import { PetResponse } from './pet.response.js';

/** The error message for an empty pet, `{}`. */
export const REFUSED_PET =
  'name is required and must be a string; categoryId is required and must be an integer between -9223372036854775808 and ' +
  '9223372036854775807, written as a JSON number';

/** The descriptions of the operations in the OpenAPI document; the controller has their code. */
export const PETS = new ApiResource({
  name: 'Pet',
  one: 'animal',
  path: '/v1/pets',
  type: PetResponse,
  example: { id: 1041, name: 'Bella', categoryId: 7, status: 'available' },
  moreExamples: [
    { id: 1042, name: 'Mr. Whiskers', categoryId: 3, status: 'pending' },
    { id: 1043, name: 'Žofka', categoryId: 3, status: 'sold' },
    // Beyond 2^53: a client that rounds numbers shows a wrong id here.
    { id: 9007199254740993n, name: 'Nemo', categoryId: 12, status: 'available' },
  ],
});
