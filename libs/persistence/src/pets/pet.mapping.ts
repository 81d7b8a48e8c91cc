import { defineEntity, p } from '@mikro-orm/core';
import { Pet, PET_NAME_MAX_CODE_POINTS, PET_STATUSES } from '@animal-store/pets-domain';

/**
 * How a pet lies in the table `pets`. Two indexes serve every list at any size of the table, by walking
 * rows that are in order already: the primary key without a filter, (status, id) with one.
 */
export const PetMapping = defineEntity({
  class: Pet,
  tableName: 'pets',
  properties: {
    id: p.bigint().primary().autoincrement().generated('by default as identity'),
    name: p.string().length(PET_NAME_MAX_CODE_POINTS),
    categoryId: p.bigint(),
    status: p.enum([...PET_STATUSES]),
  },
  indexes: [{ name: 'pets_status_id_index', properties: ['status', 'id'] }],
});
