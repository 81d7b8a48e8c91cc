import type { CreatePetDto } from './create-pet.dto.js';
import type { ListPetsQuery } from './list-pets.query.js';

/** An animal as the API answers it. */
export interface Animal {
  id: number;
  name: string;
  categoryId: number;
  status: string;
}

/** What each Nest peer writes with its own database library; all the rest they share. */
export abstract class PetsService {
  abstract list(query: ListPetsQuery): Promise<Animal[]>;
  abstract get(id: number): Promise<Animal | null>;
  abstract create(pet: CreatePetDto): Promise<Animal>;
}
