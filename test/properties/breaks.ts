import { IdempotencyKeyReusedError, Serialized } from '@animal-store/kernel';
import { PetReadModel, PetRepository, type NewPet } from '@animal-store/pets-domain';
import type { RunningApp } from '../support/running-app.js';
import { withClient } from '../support/sql.js';

/** Each function breaks the service in one way, to show that the explorations find the fault. */

/** Every request with a key is answered with the first pet that was added under the key. */
export function loseFingerprints({ app }: RunningApp): void {
  const pets = app.get(PetRepository, { strict: false });
  const addOnce = pets.addOnce.bind(pets);
  const added = new Map<string, NewPet>();
  pets.addOnce = async (pet, key) => {
    const name = JSON.stringify(key);
    try {
      const addition = await addOnce(pet, key);
      added.set(name, pet);
      return addition;
    } catch (error) {
      const first = added.get(name);
      if (!(error instanceof IdempotencyKeyReusedError) || first === undefined) throw error;
      return await addOnce(first, key);
    }
  };
}

/** A name with characters beyond the basic plane fails. */
export function failForAstralNames({ app }: RunningApp): void {
  const pets = app.get(PetRepository, { strict: false });
  const add = pets.add.bind(pets);
  pets.add = (pet, signal) => {
    if (/[\u{10000}-\u{10ffff}]/u.test(pet.name)) throw new Error('This name is not stored');
    return add(pet, signal);
  };
}

/** A pet that is requested by its id is shown with an id that lacks its last digit. */
export function dropLastDigits({ app }: RunningApp): void {
  const catalogue = app.get(PetReadModel, { strict: false });
  const findById = catalogue.findById.bind(catalogue);
  catalogue.findById = async (id, signal) => {
    const found = await findById(id, signal);
    return found && new Serialized(found.text.replace(/^\{"id":(?<digits>[0-9]+)[0-9],/, '{"id":$<digits>,'));
  };
}

/** The lock that makes ids visible in order (ADR 0004) blocks nobody. */
export async function skipLock(url: string): Promise<void> {
  // PostgreSQL prefers this function to its own, which takes a bigint: the number in the statement is an integer.
  await withClient(url, (client) =>
    client.query(`create function pg_advisory_xact_lock(integer) returns void language sql as ''`),
  );
}
