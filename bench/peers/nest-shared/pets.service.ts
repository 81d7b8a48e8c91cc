import type { CreatePetDto, ListPetsQuery } from './pet.dto.js';

/** A pet as the API returns it. */
export interface Animal {
  id: number;
  name: string;
  categoryId: number;
  status: string;
}

/** Each Nest peer implements this class with its own database library; the peers share all other code. */
export abstract class PetsService {
  abstract list(query: ListPetsQuery): Promise<Animal[]>;
  abstract get(id: number): Promise<Animal | null>;
  abstract create(pet: CreatePetDto): Promise<Animal>;
}
