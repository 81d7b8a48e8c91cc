import { NewPet, type Pet, PetReadModel, PetRepository } from '@animal-store/pets-domain';
import { serializePet } from '../../apps/api/src/pets/pet.dto.js';
import { describeIdempotency } from '../contracts/idempotency.contract.js';
import { idsOf } from '../contracts/paging.contract.js';
import { createMigratedDatabase } from '../support/databases.js';
import { useService } from '../support/service-without-http.js';

/** More pets than the tests add. */
const ALL = 5_000;

describe('the catalogue', () => {
  const service = useService(createMigratedDatabase);
  let pets: PetRepository;
  let catalogue: PetReadModel;

  beforeAll(() => {
    [pets, catalogue] = [service.get(PetRepository), service.get(PetReadModel)];
  });

  async function idsAfter(afterId?: bigint): Promise<bigint[]> {
    return idsOf((await catalogue.findPage({ limit: ALL, afterId })).text);
  }

  describe('adding', () => {
    test('gives each of the pets that are added at the same time its own fields', async () => {
      const names = Array.from({ length: 40 }, (_, index) => `Rex ${index}`);
      const added = await Promise.all(names.map((name, index) => pets.add(new NewPet(name, BigInt(index)))));
      const found = await Promise.all(added.map(({ id }) => catalogue.findById(id)));
      expect(found).toEqual(added.map(serializePet));
      expect(added.map(({ name, categoryId }) => [name, categoryId])).toEqual(
        names.map((name, index) => [name, BigInt(index)]),
      );
    });
  });

  describe('adding once', () => {
    test('answers the second call with the pet of the first, as it was added', async () => {
      const key = { holder: 'shop', key: 'a key' };
      const mia = () => new NewPet('Mia', -3n, 'sold');
      const first = await pets.addOnce(mia(), key, 'add Mia');
      const second = await pets.addOnce(mia(), key, 'add Mia');
      const fields = { id: first.added.id, name: 'Mia', categoryId: -3n, status: 'sold' };
      expect([second.replayed, fieldsOf(second.added)]).toEqual([true, fields]);
    });
  });

  describeIdempotency('of an addition', () =>
    Promise.resolve({
      once: async (request, key) => {
        const { added, replayed } = await pets.addOnce(new NewPet('Rex', BigInt(request)), key, `add ${request}`);
        return { id: added.id, replayed };
      },
      make: async () => (await pets.add(new NewPet('Rex', 7n))).id,
      after: idsAfter,
      close: () => Promise.resolve(),
    }),
  );
});

/** Only the fields of the pet: an adapter may return objects with further hidden members. */
function fieldsOf(pet: Pet | undefined): Partial<Pet> {
  return { id: pet?.id, name: pet?.name, categoryId: pet?.categoryId, status: pet?.status };
}
