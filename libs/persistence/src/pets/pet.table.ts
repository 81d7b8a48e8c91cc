import { declareTable } from '../tables/declare-table.js';
import { PetMapping } from './pet.mapping.js';

/** The pets, as `serializePet` of the API shows one. */
export const PETS = declareTable(PetMapping, {
  shown: ['id', 'name', 'categoryId', 'status'],
  filter: 'status',
  // Dashboards and alerts know it by this name.
  statements: { pages: 'find_pages' },
});
