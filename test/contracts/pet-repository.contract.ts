/* eslint-disable jest/no-export -- the contract of a port: every adapter has a file that runs it */
import { IdempotencyKeyReusedError, INT64_MAX, INT64_MIN } from '@animal-store/kernel';
import { NewPet, type Pet, type PetRepository, type PetStatus } from '@animal-store/pets-domain';

/** One adapter with an empty catalogue. */
export interface OpenPetRepository {
  readonly repository: PetRepository;
  close(): Promise<void>;
}

/** Above every limit that a test sets. */
const ALL = 5_000;

/** What every adapter of {@link PetRepository} promises. `open` is called once, so the tests share one catalogue. */
export function describePetRepository(name: string, open: () => Promise<OpenPetRepository>): void {
  describe(`the catalogue ${name}`, () => {
    let pets: PetRepository;
    let close: () => Promise<void>;

    beforeAll(async () => {
      const opened = await open();
      pets = opened.repository;
      close = () => opened.close();
    });

    afterAll(async () => {
      await close();
    });

    /** The id of the newest animal: what a test adds comes after it. */
    async function newestId(): Promise<bigint> {
      return (await pets.findPage({ limit: ALL })).at(-1)?.id ?? 0n;
    }

    async function addAll(...statuses: PetStatus[]): Promise<bigint[]> {
      const ids: bigint[] = [];
      for (const status of statuses) ids.push((await pets.add(new NewPet('Rex', 7n, status))).id);
      return ids;
    }

    /** The ids of all animals after one, visited page by page until there is a short one. */
    async function walk(afterId: bigint, limit: number): Promise<bigint[]> {
      const visited: bigint[] = [];
      for (;;) {
        const page = await pets.findPage({ limit, afterId: visited.at(-1) ?? afterId });
        visited.push(...idsOf(page));
        // Pages that lead nowhere shall fail a test, not keep it busy.
        if (page.length < limit || visited.length > ALL) return visited;
      }
    }

    describe('adding', () => {
      test('answers the animal with an id', async () => {
        const added = await pets.add(new NewPet('Rex', 7n, 'pending'));
        expect(fieldsOf(added)).toEqual({ id: added.id, name: 'Rex', categoryId: 7n, status: 'pending' });
      });

      test('assigns ids that are int64s above zero', async () => {
        const { id } = await pets.add(new NewPet('Rex', 7n));
        expect({ type: typeof id, positive: id > 0n, small: id <= INT64_MAX }).toEqual({
          type: 'bigint',
          positive: true,
          small: true,
        });
      });

      test('assigns ascending ids', async () => {
        const ids = await addAll('sold', 'sold', 'sold', 'sold');
        expect(ids).toEqual([...new Set(ids)].toSorted(ascending));
      });

      test('assigns distinct ids to animals that are added at the same time', async () => {
        const added = await Promise.all(Array.from({ length: 40 }, () => pets.add(new NewPet('Rex', 7n))));
        expect(new Set(idsOf(added)).size).toBe(40);
      });

      test('gives each of the animals that are added at the same time its own fields', async () => {
        const names = Array.from({ length: 40 }, (_, index) => `Rex ${index}`);
        const added = await Promise.all(names.map((name, index) => pets.add(new NewPet(name, BigInt(index)))));
        const found = await Promise.all(added.map(({ id }) => pets.findById(id)));
        expect(found.map((pet) => [pet?.name, pet?.categoryId])).toEqual(
          names.map((name, index) => [name, BigInt(index)]),
        );
      });

      test('has made the animal visible when it resolves', async () => {
        const before = await newestId();
        const { id } = await pets.add(new NewPet('Rex', 7n));
        expect(idsOf(await pets.findPage({ limit: 1, afterId: before }))).toEqual([id]);
      });

      test('leaves the animals that are there as they are', async () => {
        const first = await pets.add(new NewPet('First', 1n, 'sold'));
        await pets.add(new NewPet('Second', 2n, 'pending'));
        expect(fieldsOf(await pets.findById(first.id))).toEqual(fieldsOf(first));
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

      test('adds the animal and says that it is new', async () => {
        const { pet, replayed } = await pets.addOnce(new NewPet('Mia', -3n, 'sold'), freshKey());
        expect([replayed, fieldsOf(await pets.findById(pet.id))]).toEqual([
          false,
          { id: pet.id, name: 'Mia', categoryId: -3n, status: 'sold' },
        ]);
      });

      test('answers the second call with the animal of the first', async () => {
        const key = freshKey();
        const first = await pets.addOnce(rex, key);
        const second = await pets.addOnce(new NewPet('Rex', 7n), key);
        expect([second.replayed, fieldsOf(second.pet)]).toEqual([true, fieldsOf(first.pet)]);
      });

      test('adds one animal for many calls at once, and says to one of them that it is new', async () => {
        const before = await newestId();
        const key = freshKey();
        const additions = await Promise.all(Array.from({ length: 20 }, () => pets.addOnce(rex, key)));
        const [added] = idsOf(await pets.findPage({ limit: ALL, afterId: before }));
        expect(additions.map(({ pet }) => pet.id)).toEqual(Array.from({ length: 20 }, () => added));
        expect(additions.filter(({ replayed }) => !replayed)).toHaveLength(1);
        expect(await newestId()).toBe(added);
      });

      test.each([
        ['name', new NewPet('rex', 7n)],
        ['category', new NewPet('Rex', 8n)],
        ['status', new NewPet('Rex', 7n, 'sold')],
      ])('refuses a used key for an animal with another %s, and adds nothing', async (_what, other) => {
        const key = freshKey();
        await pets.addOnce(rex, key);
        const before = await newestId();
        await expect(pets.addOnce(other, key)).rejects.toThrow(IdempotencyKeyReusedError);
        expect(await newestId()).toBe(before);
      });

      test('tells calls at once that use one key for different animals apart', async () => {
        const key = freshKey();
        const outcomes = await Promise.allSettled([
          ...Array.from({ length: 5 }, () => pets.addOnce(rex, key)),
          ...Array.from({ length: 5 }, () => pets.addOnce(new NewPet('Mia', 7n), key)),
        ]);
        const winners = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.pet] : []));
        const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []));
        expect([winners.length, new Set(idsOf(winners)).size, new Set(winners.map(({ name }) => name)).size]).toEqual([
          5, 1, 1,
        ]);
        expect(refused.every((error) => error instanceof IdempotencyKeyReusedError)).toBe(true);
      });

      test('still answers the first call again after a refusal', async () => {
        const key = freshKey();
        const { pet } = await pets.addOnce(rex, key);
        await pets.addOnce(new NewPet('Mia', 7n), key).catch(() => undefined);
        expect((await pets.addOnce(rex, key)).pet.id).toBe(pet.id);
      });

      test('keeps the keys of one holder apart from those of another', async () => {
        const key = freshKey('shop');
        const first = await pets.addOnce(rex, key);
        const second = await pets.addOnce(new NewPet('Mia', 7n), { ...key, holder: 'zoo' });
        expect([second.replayed, second.pet.id === first.pet.id]).toEqual([false, false]);
      });

      test('keeps a holder and a key apart from those that read the same side by side', async () => {
        const [first, second] = await Promise.all([
          pets.addOnce(rex, { holder: 'ab', key: 'c' }),
          pets.addOnce(rex, { holder: 'a', key: 'bc' }),
        ]);
        expect(second.pet.id === first.pet.id).toBe(false);
      });

      test.each([
        ['another case', 'Case', 'case'],
        ['255 characters', '~'.repeat(255), '~'.repeat(254)],
        ['quotes and backslashes', `"\\',{}$1`, `"\\',{}$2`],
      ])('tells keys apart: %s', async (_what, one, other) => {
        const first = await pets.addOnce(rex, { holder: 'shop', key: one });
        const second = await pets.addOnce(rex, { holder: 'shop', key: other });
        const again = await pets.addOnce(rex, { holder: 'shop', key: one });
        expect([second.pet.id === first.pet.id, again.pet.id]).toEqual([false, first.pet.id]);
      });

      test('gives each of many animals that are added at once under keys of their own its own fields', async () => {
        const names = Array.from({ length: 40 }, (_, index) => `Rex ${index}`);
        const added = await Promise.all(names.map((name) => pets.addOnce(new NewPet(name, 7n), freshKey())));
        const found = await Promise.all(added.map(({ pet }) => pets.findById(pet.id)));
        expect(found.map((pet) => pet?.name)).toEqual(names);
      });

      test('assigns ids above those of the animals that were added before, and below those added later', async () => {
        const before = await pets.add(rex);
        const once = await pets.addOnce(rex, freshKey());
        const after = await pets.add(rex);
        expect(idsOf([after, once.pet, before]).toSorted(ascending)).toEqual(idsOf([before, once.pet, after]));
      });
    });

    describe('finding by id', () => {
      test('gives the animal that was added', async () => {
        const added = await pets.add(new NewPet('Mia', 3n, 'sold'));
        expect(fieldsOf(await pets.findById(added.id))).toEqual(fieldsOf(added));
      });

      test.each([0n, -1n, INT64_MIN, INT64_MAX, 9007199254740993n])(
        'gives nothing for %p, which no animal has',
        async (id) => {
          expect(await pets.findById(id)).toBeUndefined();
        },
      );

      test('gives nothing for the id that comes next', async () => {
        expect(await pets.findById((await newestId()) + 1n)).toBeUndefined();
      });
    });

    describe('a category', () => {
      test.each([INT64_MIN, -1n, 0n, 9007199254740993n, INT64_MAX])('is kept exactly: %p', async (categoryId) => {
        const { id } = await pets.add(new NewPet('Rex', categoryId));
        expect((await pets.findById(id))?.categoryId).toBe(categoryId);
      });

      test('is exact in pages as well', async () => {
        const before = await newestId();
        await pets.add(new NewPet('Rex', 9007199254740993n));
        const page = await pets.findPage({ limit: 1, afterId: before });
        expect(page.map(({ categoryId }) => categoryId)).toEqual([9007199254740993n]);
      });
    });

    describe('a status', () => {
      test.each<PetStatus>(['available', 'pending', 'sold'])('is kept: %s', async (status) => {
        const { id } = await pets.add(new NewPet('Rex', 7n, status));
        expect((await pets.findById(id))?.status).toBe(status);
      });
    });

    describe('a name', () => {
      const names = [
        ['with leading and trailing blanks', '  Rex \t\n'],
        ['with an emoji', 'Rex 🐕'],
        ['with a family of joined emoji', '👨‍👩‍👧‍👦'],
        ['with a combining mark', 'Zoe\u0301'],
        ['with the same letter as one character', 'Zo\u00e9'],
        ['written from right to left', '\u202Eرِكس'],
        ['with quotes and backslashes', `O'Brien "\\" \\' ; -- drop table`],
        ['with placeholders', '? :name $1 ?? %s {0}'],
        ['with control characters', 'a\u0001\u001b[31m\u007f'],
        ['with invisible characters', '\u200Ba\uFEFF'],
        ['with a character that is none', 'a\uFFFF\uFFFD'],
        ['that reads like null', 'null'],
        ['that reads like JSON', '{"a":[1]}'],
        ['of 255 letters', 'a'.repeat(255)],
        ['of 255 code points beyond the basic plane', '🦀'.repeat(255)],
      ] as const;

      test.each(names)('%s is kept byte by byte', async (_what, written) => {
        const { id } = await pets.add(new NewPet(written, 7n));
        const read = (await pets.findById(id))?.name ?? '';
        expect(Buffer.from(read, 'utf16le')).toEqual(Buffer.from(written, 'utf16le'));
      });

      test.each(names)('%s is answered as it was given', async (_what, written) => {
        expect((await pets.add(new NewPet(written, 7n))).name).toBe(written);
      });

      test('of every kind is the same in pages', async () => {
        const before = await newestId();
        for (const [, written] of names) await pets.add(new NewPet(written, 7n));
        const page = await pets.findPage({ limit: ALL, afterId: before });
        expect(page.map((pet) => pet.name)).toEqual(names.map(([, written]) => written));
      });
    });

    describe('a page', () => {
      let ids: bigint[];
      let before: bigint;

      beforeAll(async () => {
        before = await newestId();
        ids = await addAll('available', 'sold', 'pending', 'sold', 'available', 'sold', 'pending');
      });

      /** The ids that the statuses stand for, by their place above. */
      const at = (...places: number[]) => places.map((place) => ids[place]);

      test('shows animals in ascending order of id', async () => {
        expect(idsOf(await pets.findPage({ limit: 7, afterId: before }))).toEqual(ids);
      });

      test('shows all fields of an animal', async () => {
        const added = await pets.add(new NewPet('Mia', -5n, 'pending'));
        const page = await pets.findPage({ limit: 1, afterId: added.id - 1n });
        expect(page.map(fieldsOf)).toEqual([fieldsOf(added)]);
      });

      test('begins with the first animal of all when nothing else is said', async () => {
        const [first] = await pets.findPage({ limit: 1 });
        const all = await pets.findPage({ limit: ALL });
        expect(first?.id).toBe(idsOf(all).toSorted(ascending)[0]);
      });

      test.each([1, 2, 6])('shows no more animals than asked for: %i', async (limit) => {
        expect(idsOf(await pets.findPage({ limit, afterId: before }))).toEqual(ids.slice(0, limit));
      });

      test('shows only animals with the status asked for', async () => {
        expect(idsOf(await pets.findPage({ limit: ALL, afterId: before, status: 'sold' }))).toEqual(at(1, 3, 5));
      });

      test('counts against its limit only animals with the status asked for', async () => {
        expect(idsOf(await pets.findPage({ limit: 2, afterId: before, status: 'sold' }))).toEqual(at(1, 3));
      });

      test('begins after the animal that it is told', async () => {
        expect(idsOf(await pets.findPage({ limit: 2, afterId: ids[2] }))).toEqual(at(3, 4));
      });

      test('begins after an animal of another status', async () => {
        expect(idsOf(await pets.findPage({ limit: 2, afterId: ids[2], status: 'sold' }))).toEqual(at(3, 5));
      });

      test('begins after an animal of its own status', async () => {
        expect(idsOf(await pets.findPage({ limit: 2, afterId: ids[3], status: 'sold' }))).toEqual(at(5));
      });

      test('begins at the beginning after an id below all', async () => {
        const [first] = await pets.findPage({ limit: 1 });
        expect(idsOf(await pets.findPage({ limit: 1, afterId: INT64_MIN }))).toEqual([first?.id]);
      });

      test('is empty after the last animal', async () => {
        expect(await pets.findPage({ limit: 20, afterId: await newestId() })).toEqual([]);
      });

      test('is empty after the largest id', async () => {
        expect(await pets.findPage({ limit: 20, afterId: INT64_MAX, status: 'sold' })).toEqual([]);
      });

      test('is the same when it is asked for again', async () => {
        const query = { limit: 5, afterId: before };
        expect((await pets.findPage(query)).map(fieldsOf)).toEqual((await pets.findPage(query)).map(fieldsOf));
      });

      test('is answered to each of those who ask different things at the same time', async () => {
        const statuses = ['available', 'pending', 'sold', undefined] as const;
        const pages = await Promise.all(statuses.map((status) => pets.findPage({ limit: 2, afterId: before, status })));
        expect(pages.map(idsOf)).toEqual([at(0, 4), at(2, 6), at(1, 3), at(0, 1)]);
      });
    });

    describe('walking through the pages', () => {
      async function addOneWayOrTheOther(count: number): Promise<bigint> {
        const pet = new NewPet('Rex', 7n);
        if (count % 2 === 0) return (await pets.add(pet)).id;
        return (await pets.addOnce(pet, { holder: 'walk', key: crypto.randomUUID() })).pet.id;
      }

      test('visits each of 250 animals exactly once, in order, while others are being added', async () => {
        const before = await newestId();
        const seeded: bigint[] = [];
        for (let batch = 0; batch < 10; batch++) {
          seeded.push(...idsOf(await Promise.all(Array.from({ length: 25 }, () => pets.add(new NewPet('Rex', 7n))))));
        }

        const adding = Promise.all(Array.from({ length: 40 }, () => pets.add(new NewPet('Late', 7n))));
        const visited = await walk(before, 20);
        await adding;

        expect(visited.slice(0, 250)).toEqual(seeded.toSorted(ascending));
      });

      test('never finds that an animal appeared behind it', async () => {
        const before = await newestId();
        const visited: bigint[] = [];
        const progress = { done: false };
        const added = Promise.all(
          Array.from({ length: 8 }, async () => {
            const ids: bigint[] = [];
            for (let count = 0; count < 12; count++) ids.push(await addOneWayOrTheOther(count));
            return ids;
          }),
        ).finally(() => (progress.done = true));

        for (let last = false; !last;) {
          // All that was added before this walk began is in it.
          last = progress.done;
          visited.push(...(await walk(visited.at(-1) ?? before, 3)));
          await new Promise(setImmediate);
        }

        expect(visited).toEqual((await added).flat().toSorted(ascending));
      });

      test('visits each animal of one status exactly once', async () => {
        const before = await newestId();
        const statuses = Array.from({ length: 25 }, (_, index) => (index % 3 === 0 ? 'sold' : 'pending'));
        const ids = await addAll(...statuses);
        const visited: bigint[] = [];
        for (;;) {
          const page = await pets.findPage({ limit: 4, status: 'sold', afterId: visited.at(-1) ?? before });
          if (page.length === 0 || visited.length > ALL) break;
          visited.push(...idsOf(page));
        }
        expect(visited).toEqual(ids.filter((_, index) => index % 3 === 0));
      });
    });
  });
}

/** The fields alone: an adapter may give objects that carry more than the eye sees. */
function fieldsOf(pet: Pet | undefined): Partial<Pet> {
  return { id: pet?.id, name: pet?.name, categoryId: pet?.categoryId, status: pet?.status } as Partial<Pet>;
}

function idsOf(pets: readonly Pet[]): bigint[] {
  return pets.map(({ id }) => id);
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}
