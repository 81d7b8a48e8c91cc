import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { PetStatus } from '../nest-shared/pet.dto.js';

@Entity('pets')
export class Pet {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column({ type: 'varchar', length: 255 })
  name!: string;

  @Column({ name: 'category_id', type: 'bigint' })
  categoryId!: number;

  @Column({ type: 'text', default: 'available' })
  status!: PetStatus;
}
