import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import {
  DEFAULT_PET_STATUS,
  NewPet,
  PET_NAME_MAX_CODE_POINTS,
  PET_STATUSES,
  petRules,
  type PetStatus,
} from '@animal-store/pets-domain';
import { IsInt64, Obeys, Optional } from '@animal-store/http';

/** The body of createPet. */
@ApiSchema({ name: 'NewPet', description: 'An animal to be added.' })
export class CreatePetRequest {
  @ApiProperty({
    description: "The animal's name: stored as sent, with at least one character that is not blank.",
    minLength: 1,
    maxLength: PET_NAME_MAX_CODE_POINTS,
    pattern: '\\S',
    example: 'Rex',
  })
  @Obeys(petRules.name)
  readonly name!: string;

  @ApiProperty({
    description: 'The ID of the category the animal belongs to.',
    type: 'integer',
    format: 'int64',
    example: 7,
  })
  @IsInt64()
  readonly categoryId!: bigint;

  @ApiPropertyOptional({
    description: 'Availability of the animal.',
    enum: PET_STATUSES,
    enumName: 'PetStatus',
    default: DEFAULT_PET_STATUS,
    example: DEFAULT_PET_STATUS,
  })
  @Optional()
  @Obeys(petRules.status)
  readonly status?: PetStatus;

  toNewPet(): NewPet {
    return new NewPet(this.name, this.categoryId, this.status);
  }
}
