import { BigIntType, type Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { PetStatus } from '../../nest-shared/pet-status.js';

@Entity({ tableName: 'pets' })
export class Pet {
  @PrimaryKey({ type: new BigIntType('bigint'), autoincrement: true })
  id!: bigint;

  @Property({ type: 'string', length: 255 })
  name!: string;

  @Property({ type: new BigIntType('bigint') })
  categoryId!: bigint;

  @Property({ type: 'text', default: 'available' })
  status!: Opt<PetStatus>;
}
