import { Idempotency, IdempotencyKeyReusedError } from '@animal-store/kernel';
import { NewPet, PetReadModel, PetRepository } from '@animal-store/pets-domain';
import { idsOf } from '../contracts/paging.contract.js';
import { createMigratedDatabase } from '../support/databases.js';
import { useService } from '../support/service-without-http.js';

/** A key is known by its holder, its name and the content of its first use, and never by what came of that. */
describe('one key of one client for two things', () => {
  const service = useService(createMigratedDatabase);
  const key = (name: string) => ({ holder: 'shop', key: name });

  const once = (name: string, content: string, id: bigint, done: string[]) =>
    service.get(Idempotency, { strict: false }).once(key(name), content, () => {
      done.push(content);
      return Promise.resolve({ id, text: `${content} ${id}` });
    });

  async function ids(): Promise<bigint[]> {
    return idsOf((await service.get(PetReadModel).findPage({ limit: 100 })).text);
  }

  test('is refused for a pet that would get the id of the other thing, and the pet is not stored', async () => {
    const { id } = await service.get(PetRepository).add(new NewPet('Rex', 7n));
    await once('order then pet', 'order', id + 1n, []);
    const addition = service.get(PetRepository).addOnce(new NewPet('Tom', 7n), key('order then pet'), 'pet');
    await expect(addition).rejects.toThrow(IdempotencyKeyReusedError);
    expect(await ids()).toEqual([id]);
  });

  test('is refused for work after a pet, and the work is not done', async () => {
    const { added } = await service.get(PetRepository).addOnce(new NewPet('Rex', 7n), key('pet then order'), 'pet');
    const done: string[] = [];
    await expect(once('pet then order', 'order', added.id, done)).rejects.toThrow(IdempotencyKeyReusedError);
    await expect(once('pet then order', 'pet', added.id, done)).rejects.toThrow(IdempotencyKeyReusedError);
    expect(done).toEqual([]);
  });

  test('is refused for the work of another module, though it has the same id', async () => {
    const done: string[] = [];
    await once('order then visit', 'order', 1n, done);
    await expect(once('order then visit', 'visit', 1n, done)).rejects.toThrow(IdempotencyKeyReusedError);
    expect(await once('order then visit', 'order', 1n, done)).toEqual({ id: 1n, text: 'order 1', replayed: true });
    expect(done).toEqual(['order']);
  });
});
