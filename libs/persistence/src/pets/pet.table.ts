import { declareTable } from '../tables/declare-table.js';
import { PetMapping } from './pet.mapping.js';

/** The table of the pets. Its JSON is that of `serializePet` of the API. */
export const PETS = declareTable(PetMapping, {
  shown: ['id', 'name', 'categoryId', 'status'],
  filter: 'status',
  // Dashboards and alerts use this name.
  statements: { pages: 'find_pages' },
});
