import type { Cancellation, IdempotencyKey } from '@animal-store/kernel';
import {
  canonicalForm,
  PetNotFoundError,
  PetRepository,
  type AddOnceResult,
  type NewPet,
  type Pet,
  type PetFilter,
  type PetPageQuery,
} from '@animal-store/pets-domain';
import type { Table } from '../tables/table.js';

/** The catalogue in PostgreSQL. */
export class TablePetRepository extends PetRepository {
  constructor(private readonly pets: Table<Pet, NewPet, PetFilter>) {
    super();
  }

  override add(pet: NewPet, signal?: Cancellation): Promise<Pet> {
    return this.pets.add(pet, signal);
  }

  override async addOnce(pet: NewPet, key: IdempotencyKey): Promise<AddOnceResult> {
    const { added, replayed } = await this.pets.addOnce(pet, key, canonicalForm(pet));
    return { pet: added, replayed };
  }

  override findById(id: bigint): Promise<Pet | undefined> {
    return this.pets.findById(id);
  }

  override findForUpdate(id: bigint): Promise<Pet | undefined> {
    return this.pets.findForUpdate(id);
  }

  override async save(pet: Pet): Promise<void> {
    if (!(await this.pets.save(pet))) throw new PetNotFoundError(pet.id);
  }

  override findPage(query: PetPageQuery): Promise<Pet[]> {
    return this.pets.findPage(query);
  }
}
