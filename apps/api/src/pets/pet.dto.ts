import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import {
  DEFAULT_PET_STATUS,
  PET_NAME_MAX_CODE_POINTS,
  PET_STATUSES,
  petRules,
  type Pet,
  type PetStatus,
} from '@animal-store/pets-domain';
import { CachedQuery, IsInt64, Optional, PageRequest, Satisfies } from '@animal-store/http';

/** What the OpenAPI document says about the members of an animal, wherever they appear. */
const NAME = { minLength: 1, maxLength: PET_NAME_MAX_CODE_POINTS };
const CATEGORY_ID = {
  description: 'The ID of the category the animal belongs to.',
  type: 'integer',
  format: 'int64',
  example: 7,
} as const;
const STATUS = {
  enum: PET_STATUSES,
  enumName: 'PetStatus',
  enumSchema: { description: 'Availability of the animal.' },
};

@ApiSchema({ name: 'NewPet', description: 'An animal to be added.' })
export class CreatePetRequest {
  @ApiProperty({
    description:
      "The animal's name, stored exactly as it is sent. It has at least one character that is not blank, at most 255 " +
      'Unicode code points, no NUL (U+0000), and no unpaired surrogate.',
    ...NAME,
    pattern: '\\S',
    example: 'Bella',
  })
  @Satisfies(petRules.name)
  readonly name!: string;

  @ApiProperty(CATEGORY_ID)
  @IsInt64()
  readonly categoryId!: bigint;

  @ApiPropertyOptional({
    // A `default` would make the member required in the types that are generated from the document.
    description: `Availability of the animal. If it is left out, the animal is \`${DEFAULT_PET_STATUS}\`.`,
    ...STATUS,
    example: DEFAULT_PET_STATUS,
  })
  @Optional()
  @Satisfies(petRules.status)
  readonly status?: PetStatus;
}

@CachedQuery()
export class ListPetsQuery extends PageRequest {
  @ApiPropertyOptional({ description: 'Filters by availability status.', ...STATUS, example: DEFAULT_PET_STATUS })
  @Optional()
  @Satisfies(petRules.status)
  readonly status?: PetStatus;
}

/** A pet in responses, for the OpenAPI document. {@link serializePet} writes an added one, and PostgreSQL the others. */
@ApiSchema({ name: 'Animal', description: 'An animal of the catalogue.' })
export class PetResponse {
  @ApiProperty({
    description: 'Unique identifier assigned on creation.',
    type: 'integer',
    format: 'int64',
    minimum: 1,
    example: 1041,
  })
  readonly id!: bigint;

  @ApiProperty({ description: "The animal's name.", ...NAME, example: 'Bella' })
  readonly name!: string;

  @ApiProperty(CATEGORY_ID)
  readonly categoryId!: bigint;

  @ApiProperty({ description: 'Availability of the animal.', ...STATUS, example: 'available' })
  readonly status!: PetStatus;
}

/** A pet as JSON text. If the database makes the text, it is the same to the byte. */
export function serializePet({ id, name, categoryId, status }: Pet): string {
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`;
}
