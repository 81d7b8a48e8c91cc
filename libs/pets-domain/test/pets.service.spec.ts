import { IdempotencyKeyReusedError } from '@animal-store/kernel';
import { InMemoryPetReadModel, InMemoryPetRepository } from '../../../test/support/in-memory-pets.js';
import { NewPet, type Pet } from '../src/pet.js';
import { PetNotFoundError } from '../src/pet.errors.js';
import { PetsService } from '../src/pets.service.js';

/** Any text will do: the use cases pass it on as it is. */
function namesOf(shown: Pet | readonly Pet[]): string {
  return [shown]
    .flat()
    .map(({ name }) => name)
    .join(' ');
}

describe('the catalogue', () => {
  let service: PetsService;

  beforeEach(() => {
    const pets = new InMemoryPetRepository();
    service = new PetsService(pets, new InMemoryPetReadModel(pets, namesOf));
  });

  test('answers a new pet with the id that it got', async () => {
    await service.add(new NewPet('Rex', 7n));
    expect(await service.add(new NewPet('Mia', 3n, 'pending'))).toEqual({
      id: 2n,
      name: 'Mia',
      categoryId: 3n,
      status: 'pending',
    });
  });

  test('adds one pet however often it is asked under one key', async () => {
    const key = { holder: 'shop', key: 'key' };
    await service.addOnce(new NewPet('Rex', 7n), key);
    expect(await service.addOnce(new NewPet('Rex', 7n), key)).toMatchObject({ added: { id: 1n }, replayed: true });
  });

  test.each([
    ['name', new NewPet('rex', 7n)],
    ['category', new NewPet('Rex', 8n)],
    ['status', new NewPet('Rex', 7n, 'sold')],
  ])('refuses a used key for a pet with another %s', async (_what, other) => {
    const key = { holder: 'shop', key: 'key' };
    await service.addOnce(new NewPet('Rex', 7n), key);
    await expect(service.addOnce(other, key)).rejects.toThrow(IdempotencyKeyReusedError);
  });

  test('gives a pet by its id', async () => {
    const { id } = await service.add(new NewPet('Mia', 3n));
    expect((await service.get(id)).text).toBe('Mia');
  });

  test('says so when no animal has the id', async () => {
    await service.add(new NewPet('Mia', 3n));
    await expect(service.get(2n)).rejects.toThrow(PetNotFoundError);
  });

  test('gives the page that was asked for', async () => {
    for (const name of ['Mia', 'Rex', 'Bo', 'Max']) await service.add(new NewPet(name, 3n, 'sold'));
    expect(await service.list({ limit: 2, status: 'sold', afterId: 1n })).toEqual({
      text: 'Rex Bo',
      nextAfterId: 3n,
    });
  });
});
