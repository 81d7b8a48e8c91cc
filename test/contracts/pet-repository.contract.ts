/* eslint-disable jest/no-export -- the contract of a port: every adapter has a file that runs it */
import { IdempotencyKeyReusedError, INT64_MAX, INT64_MIN } from '@animal-store/kernel';
import { NewPet, type Pet, type PetReadModel, type PetRepository } from '@animal-store/pets-domain';
import { describeIdempotency } from './idempotency.contract.js';
import { idsOf } from './paging.contract.js';

/** One adapter with an empty catalogue. */
export interface OpenPetRepository {
  readonly repository: PetRepository;
  readonly readModel: PetReadModel;
  close(): Promise<void>;
}

/** More pets than the tests add. */
const ALL = 5_000;

/** The contract of every adapter of {@link PetRepository}. `open` is called once, so the tests share one catalogue. */
export function describePetRepository(name: string, open: () => Promise<OpenPetRepository>): void {
  describe(`the catalogue ${name}`, () => {
    let pets: PetRepository;
    let catalogue: PetReadModel;
    let close: () => Promise<void>;

    beforeAll(async () => {
      const opened = await open();
      ({ repository: pets, readModel: catalogue } = opened);
      close = () => opened.close();
    });

    afterAll(async () => {
      await close();
    });

    /** The id of the newest pet. The pets that a test adds come after it. */
    async function newestId(): Promise<bigint | undefined> {
      return (await idsAfter()).at(-1);
    }

    async function idsAfter(afterId?: bigint): Promise<bigint[]> {
      return idsOf((await catalogue.findPage({ limit: ALL, afterId })).text);
    }

    describe('adding', () => {
      test('gives each of the pets that are added at the same time its own fields', async () => {
        const names = Array.from({ length: 40 }, (_, index) => `Rex ${index}`);
        const added = await Promise.all(names.map((name, index) => pets.add(new NewPet(name, BigInt(index)))));
        const found = await Promise.all(added.map(({ id }) => pets.findById(id)));
        expect(found.map((pet) => [pet?.name, pet?.categoryId])).toEqual(
          names.map((name, index) => [name, BigInt(index)]),
        );
      });
    });

    describe('adding once', () => {
      const rex = new NewPet('Rex', 7n);
      let keys = 0;

      /** A key that no test has used. */
      function freshKey(holder = 'shop') {
        keys += 1;
        return { holder, key: `key ${keys}` };
      }

      test('answers the second call with the pet of the first, as it was added', async () => {
        const key = freshKey();
        const mia = () => new NewPet('Mia', -3n, 'sold');
        const first = await pets.addOnce(mia(), key, 'add Mia');
        const second = await pets.addOnce(mia(), key, 'add Mia');
        const fields = { id: first.added.id, name: 'Mia', categoryId: -3n, status: 'sold' };
        expect([second.replayed, fieldsOf(second.added)]).toEqual([true, fields]);
      });

      test('refuses a used key for other content, and adds nothing', async () => {
        const key = freshKey();
        await pets.addOnce(rex, key, 'add Rex');
        const before = await newestId();
        await expect(pets.addOnce(rex, key, 'add another Rex')).rejects.toThrow(IdempotencyKeyReusedError);
        expect(await newestId()).toBe(before);
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

    describe('finding by id', () => {
      test('gives the pet that was added', async () => {
        const added = await pets.add(new NewPet('Mia', 3n, 'sold'));
        expect(fieldsOf(await pets.findById(added.id))).toEqual(fieldsOf(added));
      });

      test.each([0n, -1n, INT64_MIN, INT64_MAX, 9007199254740993n])(
        'gives nothing for %p, which no animal has',
        async (id) => {
          expect(await pets.findById(id)).toBeUndefined();
        },
      );
    });
  });
}

/** Only the fields of the pet: an adapter may return objects with further hidden members. */
function fieldsOf(pet: Pet | undefined): Partial<Pet> {
  return { id: pet?.id, name: pet?.name, categoryId: pet?.categoryId, status: pet?.status };
}
