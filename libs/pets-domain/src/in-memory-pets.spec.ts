import { InMemoryUnitOfWork } from '@animal-store/kernel';
import { InMemoryPetRepository } from './in-memory-pets.js';
import { NewPet } from './pet.js';

const DAY_MS = 24 * 3_600_000;

describe('an addition under a key', () => {
  const key = { holder: 'shop', key: 'key' };
  let now: number;
  let pets: InMemoryPetRepository;

  beforeEach(async () => {
    now = 0;
    pets = new InMemoryPetRepository(new InMemoryUnitOfWork(), () => now);
    await pets.addOnce(new NewPet('Rex', 7n), key, 'add Rex');
  });

  test('is remembered for a day', async () => {
    now = DAY_MS - 1;
    expect(await pets.addOnce(new NewPet('Rex', 7n), key, 'add Rex')).toMatchObject({
      replayed: true,
      added: { id: 1n },
    });
  });

  test('is forgotten after a day, so that the key is free for any pet', async () => {
    now = DAY_MS;
    expect(await pets.addOnce(new NewPet('Mia', 3n), key, 'add Mia')).toMatchObject({
      replayed: false,
      added: { id: 2n },
    });
  });
});
