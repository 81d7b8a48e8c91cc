import { ApiPropertyOptional } from '@nestjs/swagger';
import { PET_STATUSES, petRules, type PetStatus } from '@animal-store/pets-domain';
import { Satisfies, Optional, PageRequest } from '@animal-store/http';

/** The query of listPets. */
export class ListPetsQuery extends PageRequest {
  @ApiPropertyOptional({ description: 'Filters by availability status.', enum: PET_STATUSES, enumName: 'PetStatus' })
  @Optional()
  @Satisfies(petRules.status)
  readonly status?: PetStatus;
}
