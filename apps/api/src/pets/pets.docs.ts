import { ApiResource } from '@animal-store/http';
import { AnimalResponse } from './animal.response.js';

/** What the OpenAPI document says of the operations; what they do is in the controller. */
export const PETS = new ApiResource({
  name: 'Pet',
  one: 'animal',
  path: '/v1/pets',
  type: AnimalResponse,
  example: { id: 1, name: 'Rex', categoryId: 7, status: 'available' },
});
