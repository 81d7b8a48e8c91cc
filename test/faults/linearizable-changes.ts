import { UnitOfWork } from '@animal-store/kernel';
import { NewPet, PetRepository } from '@animal-store/pets-domain';
import type { Effort, Outcome } from '../support/linearizability.js';
import type { RunningApp } from '../support/running-app.js';

const LISTS = ['/v1/pets', '/v1/pets?status=available', '/v1/pets?status=pending'];

/**
 * Checks whether changes of pets are linearizable for clients, on one or several instances: every read that is sent
 * after a unit of work has reserved or released a pet must show the new state, by the id of the pet and in the lists,
 * with and without a filter. Each writer has its own pet, and readers constantly request these pets and the lists.
 */
export async function checkLinearizableChanges(apps: readonly RunningApp[], effort: Effort): Promise<Outcome> {
  const ids: bigint[] = [];
  const progress = { begun: 0, rounds: 0, reads: 0, miss: undefined as string | undefined };

  async function get(instance: number, path: string): Promise<string> {
    const answer = await apps[instance % apps.length]!.request(path);
    progress.reads += 1;
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return await answer.text();
  }

  async function look(instance: number, path: string, id: bigint, status: string): Promise<void> {
    const shown = new RegExp(`"id":${id},[^}]*"status":"(\\w+)"`).exec(await get(instance, path))?.[1];
    const expected = path.includes('status=') && !path.endsWith(status) ? undefined : status;
    if (shown !== expected) progress.miss ??= `The animal ${id} is ${status}, and ${shown ?? 'missing'} in ${path}`;
  }

  function isOver(): boolean {
    return progress.miss !== undefined || progress.begun >= effort.rounds;
  }

  async function write(number: number): Promise<void> {
    const { app } = apps[number % apps.length]!;
    const pets = app.get(PetRepository, { strict: false });
    const { id } = await pets.add(new NewPet('Rex', 7n));
    ids.push(id);
    while (!isOver()) {
      const reader = number + (progress.begun++ % 2);
      const status = await app.get(UnitOfWork, { strict: false }).run(async () => {
        const pet = (await pets.findForUpdate(id))!;
        const changed = pet.status === 'available' ? pet.reserve() : pet.release();
        await pets.save(changed);
        return changed.status;
      });
      await Promise.all([`/v1/pets/${id}`, ...LISTS].map((path) => look(reader, path, id, status)));
      progress.rounds += 1;
    }
  }

  async function read(number: number): Promise<void> {
    for (let n = number; !isOver(); n++)
      await get(n, n % 2 === 0 ? `/v1/pets/${ids[n % ids.length] ?? 1n}` : LISTS[n % LISTS.length]!);
  }

  await apps[0]!.createPet({ name: 'Mia', categoryId: 7 });
  await Promise.all([
    ...Array.from({ length: effort.writers }, (_, number) => write(number)),
    ...Array.from({ length: effort.readers }, (_, number) => read(number)),
  ]);
  const { rounds, reads, miss } = progress;
  return { rounds, reads, miss };
}
