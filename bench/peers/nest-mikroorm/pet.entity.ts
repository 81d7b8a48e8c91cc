import { BigIntType, type Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { PetStatus } from '../nest-shared/pet.dto.js';

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
