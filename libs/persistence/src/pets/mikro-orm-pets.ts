import { LockMode } from '@mikro-orm/core';
import { Injectable } from '@nestjs/common';
import { OutsideUnitOfWorkError, type AddOnceResult, type IdempotencyKey } from '@animal-store/kernel';
import { Pet, PetRepository, type NewPet } from '@animal-store/pets-domain';
import { onDatabase } from '../errors/translate-database-error.js';
import { CurrentTransaction } from '../transactions/mikro-orm-unit-of-work.js';
import { SharedPets } from './shared-pets.js';

/** Works by the entity manager of the current transaction. Only additions share statements ({@link SharedPets}). */
@Injectable()
export class MikroOrmPets extends PetRepository {
  constructor(
    private readonly current: CurrentTransaction,
    private readonly shared: SharedPets,
  ) {
    super();
  }

  override add(pet: NewPet): Promise<Pet> {
    return this.shared.add(pet);
  }

  override addOnce(pet: NewPet, key: IdempotencyKey, content: string): Promise<AddOnceResult<Pet>> {
    return this.shared.addOnce(pet, key, content);
  }

  override async findForUpdate(id: bigint): Promise<Pet | undefined> {
    if (!this.current.isOpen) throw new OutsideUnitOfWorkError('findForUpdate');
    // Pets are not changed, but replaced: so the entity manager keeps none that may be stale.
    const options = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true };
    return (await onDatabase(() => this.current.entityManager.findOne(Pet, { id }, options))) ?? undefined;
  }

  override async save({ id, ...fields }: Pet): Promise<void> {
    const change = () => this.current.entityManager.nativeUpdate(Pet, { id }, fields);
    // Outside of a transaction the statement commits itself. If its connection is lost, its outcome is unknown.
    await onDatabase(change, !this.current.isOpen);
  }
}
