import { defineEntity, p } from '@mikro-orm/core';
import { Pet, PET_NAME_MAX_CODE_POINTS, PET_STATUSES } from '@animal-store/pets-domain';

/** Lists are fast at any size: without a filter in the order of the primary key, with a filter in that of (status, id). */
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
