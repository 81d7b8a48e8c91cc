import { NewPet } from '../src/pet.js';
import { PetNotFoundError } from '../src/pet.errors.js';
import type { PetReadModel, PetRepository } from '../src/pet.repository.js';
import { PetsService } from '../src/pets.service.js';

const KEY = { holder: 'shop', key: 'key' };

describe('the use cases of the catalogue', () => {
  /** The content under which a pet is added once. */
  async function contentOf(pet: NewPet): Promise<string> {
    const contents: string[] = [];
    const addOnce = (_pet: NewPet, _key: unknown, content: string) => Promise.resolve(contents.push(content));
    const service = new PetsService({ addOnce } as unknown as PetRepository, {} as PetReadModel);
    await service.addOnce(pet, KEY);
    return contents.join();
  }

  test('take two pets with the same fields under one key for the same request', async () => {
    expect(await contentOf(new NewPet('Rex', 7n, 'available'))).toBe(await contentOf(new NewPet('Rex', 7n)));
  });

  test.each([
    ['name', new NewPet('rex', 7n)],
    ['category', new NewPet('Rex', 8n)],
    ['status', new NewPet('Rex', 7n, 'sold')],
  ])('take a pet with another %s for another request', async (_what, other) => {
    expect(await contentOf(other)).not.toBe(await contentOf(new NewPet('Rex', 7n)));
  });

  test('give a pet by its id, and say so when no animal has it', async () => {
    const findById = (id: bigint) => Promise.resolve(id === 1n ? 'Mia' : undefined);
    const service = new PetsService({} as PetRepository, { findById } as PetReadModel);
    expect(await service.get(1n)).toBe('Mia');
    await expect(service.get(2n)).rejects.toThrow(PetNotFoundError);
  });
});
