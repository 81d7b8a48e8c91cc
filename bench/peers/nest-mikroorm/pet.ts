import { BigIntType, type Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

const PET_STATUSES = ['available', 'pending', 'sold'] as const;

type PetStatus = (typeof PET_STATUSES)[number];

@Entity({ tableName: 'pets' })
export class Pet {
  @PrimaryKey({ type: new BigIntType('number'), autoincrement: true })
  id!: number;

  @Property({ type: 'string', length: 255 })
  name!: string;

  @Property({ type: new BigIntType('number') })
  categoryId!: number;

  @Property({ type: 'text', default: 'available' })
  status!: Opt<PetStatus>;
}

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

export class ListPetsQuery {
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit = 20;

  @IsOptional()
  @IsIn(PET_STATUSES)
  status?: PetStatus;
}
