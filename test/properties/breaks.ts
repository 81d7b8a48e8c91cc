import { IdempotencyKeyReusedError, Serialized } from '@animal-store/kernel';
import { PetReadModel, PetRepository, type NewPet } from '@animal-store/pets-domain';
import type { RunningApp } from '../support/running-app.js';
import { withClient } from '../support/sql.js';

/** What makes the service do what it must not, each in one way: to show that the explorations see the difference. */

/** What was added under a key is the answer to everything that is sent under it. */
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

/** Names beyond the basic plane fail. */
export function failForAstralNames({ app }: RunningApp): void {
  const pets = app.get(PetRepository, { strict: false });
  const add = pets.add.bind(pets);
  pets.add = (pet, signal) => {
    if (/[\u{10000}-\u{10ffff}]/u.test(pet.name)) throw new Error('This name is not stored');
    return add(pet, signal);
  };
}

/** An animal that is asked for by its id is shown with an id that lacks its last digit. */
export function dropLastDigits({ app }: RunningApp): void {
  const catalogue = app.get(PetReadModel, { strict: false });
  const findById = catalogue.findById.bind(catalogue);
  catalogue.findById = async (id, signal) => {
    const found = await findById(id, signal);
    return found && new Serialized(found.text.replace(/^\{"id":(?<digits>[0-9]+)[0-9],/, '{"id":$<digits>,'));
  };
}

/** The lock that lets ids become visible in order (ADR 0004) is one that nobody waits for. */
export async function skipLock(url: string): Promise<void> {
  // PostgreSQL prefers it to its own, which takes a bigint: the number in the statement is an integer.
  await withClient(url, (client) =>
    client.query(`create function pg_advisory_xact_lock(integer) returns void language sql as ''`),
  );
}
