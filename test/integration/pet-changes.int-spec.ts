import { INT64_MAX, UnitOfWork } from '@animal-store/kernel';
import { NewPet, Pet, PetTransitionError, PetReadModel, PetRepository } from '@animal-store/pets-domain';
import { serializePet } from '../../apps/api/src/pets/pet.dto.js';
import { createMigratedDatabase } from '../support/databases.js';
import { useService } from '../support/service-without-http.js';

/** Enough time for work that does not have to wait. */
const A_WHILE_MS = 150;

describe('a pet that changes', () => {
  const service = useService(createMigratedDatabase);
  let pets: PetRepository;
  let catalogue: PetReadModel;
  let units: UnitOfWork;

  beforeAll(() => {
    [pets, catalogue] = [service.get(PetRepository), service.get(PetReadModel)];
    units = service.get(UnitOfWork);
  });

  async function loadForUpdate(id: bigint): Promise<Pet> {
    const pet = await pets.findForUpdate(id);
    if (pet === undefined) throw new Error('It is gone');
    return pet;
  }

  /** Reserves a pet as a use case of another module does. */
  async function reserve(id: bigint): Promise<void> {
    await units.run(async () => {
      await pets.save((await loadForUpdate(id)).reserve());
    });
  }

  function shownIn(text: string | undefined): unknown {
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  }

  async function statusOf(id: bigint): Promise<unknown> {
    return Object(shownIn(await catalogue.findById(id)))['status'];
  }

  describe('by itself', () => {
    test('is kept with its name, its category and its status, and leaves the others and the order as they are', async () => {
      const changed = await pets.add(new NewPet('Rex', 7n));
      const other = await pets.add(new NewPet('Rex', 7n));
      const saved = new Pet(changed.id, 'Mia 🐕', -9007199254740993n, 'sold');
      await pets.save(saved);
      const { text } = await catalogue.findPage({ limit: 2, afterId: changed.id - 1n });
      expect(text).toBe(`[${serializePet(saved)},${serializePet(other)}]`);
    });

    test('is seen as it is by every read that begins afterwards', async () => {
      const pet = await pets.add(new NewPet('Rex', 7n));
      const query = { limit: 1, afterId: pet.id - 1n };
      const before = await catalogue.findPage({ ...query, status: 'available' });
      await pets.save(pet.reserve());
      const [one, page, left, come] = await Promise.all([
        catalogue.findById(pet.id),
        catalogue.findPage(query),
        catalogue.findPage({ ...query, status: 'available' }),
        catalogue.findPage({ ...query, status: 'pending' }),
      ]);
      const shown = { id: Number(pet.id), name: 'Rex', categoryId: 7, status: 'pending' };
      expect(shownIn(before.text)).toEqual([{ ...shown, status: 'available' }]);
      expect([one, page.text, left.text, come.text].map(shownIn)).toEqual([shown, [shown], [], [shown]]);
    });
  });

  describe('in a unit of work', () => {
    test('is loaded with all its fields', async () => {
      const { id } = await pets.add(new NewPet('Mia', -9007199254740993n, 'sold'));
      const found = await units.run(() => pets.findForUpdate(id));
      const { name, categoryId, status } = found!;
      expect([found!.id, name, categoryId, status]).toEqual([id, 'Mia', -9007199254740993n, 'sold']);
    });

    test('is nothing where nobody added it', async () => {
      expect(await units.run(() => pets.findForUpdate(INT64_MAX))).toBeUndefined();
    });

    test('can be loaded for a change nowhere else', async () => {
      const { id } = await pets.add(new NewPet('Rex', 7n));
      await expect(pets.findForUpdate(id)).rejects.toThrow(/findForUpdate.* inside a unit of work/);
    });

    test('tells of a change that its status does not allow, and keeps nothing of the work', async () => {
      const { id } = await pets.add(new NewPet('Rex', 7n, 'sold'));
      const other = await pets.add(new NewPet('Mia', 7n));
      const failing = units.run(async () => {
        await pets.save(other.reserve());
        await pets.save((await loadForUpdate(id)).reserve());
      });
      await expect(failing).rejects.toThrow(PetTransitionError);
      expect([await statusOf(id), await statusOf(other.id)]).toEqual(['sold', 'available']);
    });

    test('is seen there as the work left it, and by nobody else before the end', async () => {
      const pet = await pets.add(new NewPet('Rex', 7n));
      const changed = Promise.withResolvers<undefined>();
      const looked = Promise.withResolvers<undefined>();
      const inside = units.run(async () => {
        await pets.save(pet.reserve());
        changed.resolve(undefined);
        await looked.promise;
        const found = await pets.findForUpdate(pet.id);
        const one = await catalogue.findById(pet.id);
        const page = await catalogue.findPage({ limit: 1, status: 'pending', afterId: pet.id - 1n });
        return [found?.status, shownIn(one), shownIn(page.text)];
      });
      await changed.promise;
      // If there is only one connection, a reader outside of the transaction waits for its end.
      const outside = await Promise.race([statusOf(pet.id), after(A_WHILE_MS, 'available')]);
      looked.resolve(undefined);
      const shown = { id: Number(pet.id), name: 'Rex', categoryId: 7, status: 'pending' };
      expect([outside, await inside]).toEqual(['available', ['pending', shown, [shown]]]);
    });

    test('is reserved once, however many want it at the same time', async () => {
      const { id } = await pets.add(new NewPet('Rex', 7n));
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => reserve(id)));
      const refusals = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
      expect(refusals.map(({ reason }) => (reason as { code?: string }).code)).toEqual(
        Array.from({ length: 19 }, () => 'pet_not_available'),
      );
    });

    test('is added with everything else, or not at all', async () => {
      let added: Pet | undefined;
      let once: Pet | undefined;
      const key = { holder: 'changes', key: crypto.randomUUID() };
      const failing = units.run(async () => {
        added = await pets.add(new NewPet('Rex', 7n));
        once = (await pets.addOnce(new NewPet('Mia', 7n), key, 'add Mia')).added;
        await pets.save(added.reserve());
        throw new Error('Not these');
      });
      await expect(failing).rejects.toThrow('Not these');
      expect([await statusOf(added!.id), await statusOf(once!.id)]).toEqual([undefined, undefined]);
      expect((await pets.addOnce(new NewPet('Mia', 7n), key, 'add Mia')).replayed).toBe(false);
    });
  });
});

function after<Value>(milliseconds: number, value: Value): Promise<Value> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, value));
}
