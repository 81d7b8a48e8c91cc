import { NewPet, PetRepository } from '@animal-store/pets-domain';
import { createMigratedDatabase, DATABASES } from '../support/databases.js';
import { openService, useTwoServices } from '../support/service.js';
import { describePetRepository } from './pet-repository.contract.js';

for (const { name, create } of DATABASES) {
  describePetRepository(`in ${name}`, async () => {
    const database = await create();
    const service = await openService(database);
    return {
      repository: service.get(PetRepository),
      close: async () => {
        await service.close();
        await database.remove();
      },
    };
  });
}

describe('two instances on one PostgreSQL database', () => {
  const services = useTwoServices(createMigratedDatabase);
  let first: PetRepository;
  let second: PetRepository;

  beforeAll(() => {
    first = services[0].get(PetRepository);
    second = services[1].get(PetRepository);
  });

  test('see at once what the other one acknowledged', async () => {
    const { id } = await first.add(new NewPet('Rex', 7n));
    expect((await second.findById(id))?.name).toBe('Rex');
  });

  test('let ids become visible in ascending order, so that no walk misses a pet', async () => {
    const visited: bigint[] = [];
    const seenBefore = (await first.findPage({ limit: 100 })).at(-1)?.id;
    const progress = { done: false };
    const added = Promise.all(
      [first, second, first, second, first, second].map(async (pets) => {
        const ids: bigint[] = [];
        for (let count = 0; count < 20; count++) {
          const pet = new NewPet('Rex', 7n);
          const key = { holder: 'walk', key: crypto.randomUUID() };
          ids.push(count % 2 === 0 ? (await pets.add(pet)).id : (await pets.addOnce(pet, key)).pet.id);
        }
        return ids;
      }),
    ).finally(() => (progress.done = true));

    for (let last = false; !last;) {
      // This walk sees every pet that was added before it began.
      last = progress.done;
      for (let more = true; more;) {
        const page = await second.findPage({ limit: 100, afterId: visited.at(-1) ?? seenBefore });
        visited.push(...page.map(({ id }) => id));
        more = page.length > 0 && visited.length < 5_000;
      }
    }

    expect(visited).toEqual((await added).flat().toSorted((a, b) => Number(a - b)));
  });
});
