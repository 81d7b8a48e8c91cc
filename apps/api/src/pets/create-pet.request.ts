import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import {
  DEFAULT_PET_STATUS,
  NewPet,
  PET_NAME_MAX_CODE_POINTS,
  PET_STATUSES,
  petRules,
  type PetStatus,
} from '@animal-store/pets-domain';
import { IsInt64, Satisfies, Optional } from '@animal-store/http';

/** The body of createPet. */
@ApiSchema({ name: 'NewPet', description: 'An animal to be added.' })
export class CreatePetRequest {
  @ApiProperty({
    description:
      "The animal's name, stored exactly as it is sent. It has at least one character that is not blank, at most 255 " +
      'Unicode code points, no NUL (U+0000), and no unpaired surrogate.',
    minLength: 1,
    maxLength: PET_NAME_MAX_CODE_POINTS,
    pattern: '\\S',
    example: 'Bella',
  })
  @Satisfies(petRules.name)
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
    // A `default` would make the member required in the types that are generated from the document.
    description: `Availability of the animal. If it is left out, the animal is \`${DEFAULT_PET_STATUS}\`.`,
    enum: PET_STATUSES,
    enumName: 'PetStatus',
    example: DEFAULT_PET_STATUS,
  })
  @Optional()
  @Satisfies(petRules.status)
  readonly status?: PetStatus;

  toNewPet(): NewPet {
    return new NewPet(this.name, this.categoryId, this.status);
  }
}
