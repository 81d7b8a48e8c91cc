import { IsIn, IsInt, IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { PET_STATUSES, type PetStatus } from './pet-status.js';

export class CreatePetDto {
  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  name!: string;

  @IsInt()
  categoryId!: number;

  @IsIn(PET_STATUSES)
  status: PetStatus = 'available';
}
