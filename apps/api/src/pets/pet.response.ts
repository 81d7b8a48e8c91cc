import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { PET_NAME_MAX_CODE_POINTS, PET_STATUSES, type Pet, type PetStatus } from '@animal-store/pets-domain';

/** A pet in responses, as the OpenAPI document describes it. {@link serializePet} writes it. */
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

  @ApiProperty({
    description: "The animal's name.",
    minLength: 1,
    maxLength: PET_NAME_MAX_CODE_POINTS,
    example: 'Bella',
  })
  readonly name!: string;

  @ApiProperty({
    description: 'The ID of the category the animal belongs to.',
    type: 'integer',
    format: 'int64',
    example: 7,
  })
  readonly categoryId!: bigint;

  @ApiProperty({
    description: 'Availability of the animal.',
    enum: PET_STATUSES,
    enumName: 'PetStatus',
    example: 'available',
  })
  readonly status!: PetStatus;
}

/** A pet as JSON text. If the database makes the text, it is the same to the byte. */
export function serializePet({ id, name, categoryId, status }: Pet): string {
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`;
}
