import { ApiPropertyOptional } from '@nestjs/swagger';
import { PET_STATUSES, petRules, type PetStatus } from '@animal-store/pets-domain';
import { CachedQuery, Optional, PageRequest, Satisfies } from '@animal-store/http';

/** The query of listPets. */
@CachedQuery()
export class ListPetsQuery extends PageRequest {
  @ApiPropertyOptional({ description: 'Filters by availability status.', enum: PET_STATUSES, enumName: 'PetStatus' })
  @Optional()
  @Satisfies(petRules.status)
  readonly status?: PetStatus;
}
