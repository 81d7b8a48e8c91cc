import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PetStatus } from '../../nest-shared/pet-status.js';
import { int64 } from './int64.transformer.js';

@Entity('pets')
export class Pet {
  @PrimaryColumn({ type: 'bigint', generated: 'identity', generatedIdentity: 'BY DEFAULT', transformer: int64 })
  id!: bigint;

  @Column({ type: 'varchar', length: 255 })
  name!: string;

  @Column({ name: 'category_id', type: 'bigint', transformer: int64 })
  categoryId!: bigint;

  @Column({ type: 'text', default: 'available' })
  status!: PetStatus;
}
