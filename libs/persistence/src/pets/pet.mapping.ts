import { defineEntity, p } from '@mikro-orm/core';
import { Pet, PET_NAME_MAX_CODE_POINTS, PET_STATUSES } from '@animal-store/pets-domain';

/**
 * The table `pets`. Two indexes are in the order of lists, so lists are fast at any size of the table: the primary key
 * for lists without a filter, (status, id) for lists with a filter.
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
