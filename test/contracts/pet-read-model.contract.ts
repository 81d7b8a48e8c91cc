/* eslint-disable jest/no-export -- the contract of a port: every adapter has a file that runs it */
import fc from 'fast-check';
import { INT64_MAX, INT64_MIN } from '@animal-store/kernel';
import {
  NewPet,
  PET_STATUSES,
  petRules,
  type Pet,
  type PetReadModel,
  type PetRepository,
  type PetStatus,
} from '@animal-store/pets-domain';
import { serializePet } from '../../apps/api/src/pets/animal.response.js';

/** One adapter with an empty catalogue, and the repository that fills it. */
export interface OpenPetReadModel {
  readonly readModel: PetReadModel;
  readonly repository: PetRepository;
  close(): Promise<void>;
}

const character = fc
  .oneof(
    { weight: 4, arbitrary: fc.constantFrom(...Array.from(`"\\/{}[],:'\n\t\b\f\r\u0001\u001f\u007f\u2028 $?`)) },
    { weight: 2, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 0xd7ff }) },
    { weight: 1, arbitrary: fc.integer({ min: 0xe000, max: 0x10ffff }) },
  )
  .map((value) => (typeof value === 'number' ? String.fromCodePoint(value) : value));

/** Names that a renderer could stumble over: escapes, and what looks like the text between two animals. */
const names = fc
  .oneof(
    fc.string({ unit: character, minLength: 1, maxLength: 40 }),
    fc.constantFrom('},{"id":', '"},{"id":5,"name":"', '","status":"sold"},{"id":1,', '],[', '\\', '\\"', '"', 'null'),
  )
  .filter((name) => petRules.name(name) === undefined);

const newPets = fc
  .tuple(names, fc.bigInt({ min: INT64_MIN, max: INT64_MAX }), fc.constantFrom(...PET_STATUSES))
  .map(([name, categoryId, status]) => new NewPet(name, categoryId, status));

/** What every adapter of {@link PetReadModel} promises. `open` is called once, so the tests share one catalogue. */
export function describePetReadModel(name: string, open: () => Promise<OpenPetReadModel>): void {
  describe(`the catalogue as text ${name}`, () => {
    let texts: PetReadModel;
    let pets: PetRepository;
    let close: () => Promise<void>;

    beforeAll(async () => {
      const opened = await open();
      texts = opened.readModel;
      pets = opened.repository;
      close = () => opened.close();
    });

    afterAll(async () => {
      await close();
    });

    async function newestId(): Promise<bigint> {
      return (await pets.findPage({ limit: 100_000 })).at(-1)?.id ?? 0n;
    }

    async function addAll(...added: NewPet[]): Promise<Pet[]> {
      const all: Pet[] = [];
      for (const pet of added) all.push(await pets.add(pet));
      return all;
    }

    function withStatuses(...statuses: PetStatus[]): Promise<Pet[]> {
      return addAll(...statuses.map((status) => new NewPet('Rex', 7n, status)));
    }

    describe('an animal', () => {
      test('is the text that the API makes of it, whatever its fields', async () => {
        await fc.assert(
          fc.asyncProperty(newPets, async (pet) => {
            const added = await pets.add(pet);
            expect((await texts.findById(added.id))?.text).toBe(serializePet(added));
          }),
          { numRuns: 60 },
        );
      });

      test.each([INT64_MIN, INT64_MAX, 9007199254740993n])(
        'has the category %p to the last digit',
        async (categoryId) => {
          const { id } = await pets.add(new NewPet('Rex', categoryId));
          expect((await texts.findById(id))?.text).toBe(
            `{"id":${id},"name":"Rex","categoryId":${categoryId},"status":"available"}`,
          );
        },
      );

      test.each([0n, -1n, INT64_MIN, INT64_MAX])('is nothing for %p, which no animal has', async (id) => {
        expect(await texts.findById(id)).toBeUndefined();
      });

      test('is the right one for each of those who ask at the same time', async () => {
        const added = await addAll(...Array.from({ length: 20 }, (_, index) => new NewPet(`Rex ${index}`, 7n)));
        const found = await Promise.all(added.map(({ id }) => texts.findById(id)));
        expect(found.map((text) => text?.text)).toEqual(added.map((pet) => serializePet(pet)));
      });

      test('is there as soon as it was acknowledged', async () => {
        const seen = await Promise.all(
          Array.from({ length: 20 }, async () => {
            const { id } = await pets.add(new NewPet('Rex', 7n));
            return (await texts.findById(id)) !== undefined;
          }),
        );
        expect(seen).not.toContain(false);
      });
    });

    describe('a page', () => {
      test('is the text of its animals as the API makes it, whatever their fields', async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(newPets, { minLength: 1, maxLength: 8 }), async (some) => {
            const afterId = await newestId();
            const added = await addAll(...some);
            expect((await texts.findPage({ limit: 100, afterId })).text).toBe(textOf(added));
          }),
          { numRuns: 15 },
        );
      });

      test('is cut between two animals, whatever their fields', async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(newPets, { minLength: 2, maxLength: 8 }), async (some) => {
            const afterId = await newestId();
            const added = await addAll(...some);
            const limit = added.length - 1;
            expect(await texts.findPage({ limit, afterId })).toEqual({
              text: textOf(added.slice(0, limit)),
              nextAfterId: added.at(limit - 1)?.id,
            });
          }),
          { numRuns: 15 },
        );
      });

      test('is an empty array where there is nothing', async () => {
        expect(await texts.findPage({ limit: 20, afterId: await newestId() })).toEqual({
          text: '[]',
          nextAfterId: undefined,
        });
      });

      test('has no successor when it holds fewer animals than asked for', async () => {
        const afterId = await newestId();
        await withStatuses('sold', 'sold');
        expect((await texts.findPage({ limit: 3, afterId })).nextAfterId).toBeUndefined();
      });

      test('has no successor when it holds exactly the rest', async () => {
        const afterId = await newestId();
        const added = await withStatuses('sold', 'sold', 'sold');
        expect(await texts.findPage({ limit: 3, afterId })).toEqual({ text: textOf(added), nextAfterId: undefined });
      });

      test('names its last animal when another follows', async () => {
        const afterId = await newestId();
        const added = await withStatuses('sold', 'sold', 'sold', 'sold');
        expect((await texts.findPage({ limit: 3, afterId })).nextAfterId).toBe(added[2]?.id);
      });

      test('has no successor when those that follow have another status', async () => {
        const afterId = await newestId();
        const added = await withStatuses('sold', 'available', 'pending');
        expect(await texts.findPage({ limit: 1, status: 'sold', afterId })).toEqual({
          text: textOf(added.slice(0, 1)),
          nextAfterId: undefined,
        });
      });

      test('holds only animals with the status asked for', async () => {
        const afterId = await newestId();
        const added = await withStatuses('sold', 'available', 'sold', 'pending', 'sold');
        expect(await texts.findPage({ limit: 2, status: 'sold', afterId })).toEqual({
          text: textOf([added[0], added[2]]),
          nextAfterId: added[2]?.id,
        });
      });

      test('begins with the first animal of all when nothing else is said', async () => {
        await withStatuses('sold');
        const first = await pets.findPage({ limit: 2 });
        expect((await texts.findPage({ limit: 2 })).text).toBe(textOf(first));
      });

      test('is empty after the largest id', async () => {
        expect((await texts.findPage({ limit: 20, afterId: INT64_MAX })).text).toBe('[]');
      });

      test('is the right one for each of those who ask different things at the same time', async () => {
        const afterId = await newestId();
        const added = await withStatuses('available', 'sold', 'pending', 'sold', 'available');
        const pages = await Promise.all([
          texts.findPage({ limit: 2, afterId }),
          texts.findPage({ limit: 4, afterId }),
          texts.findPage({ limit: 2, afterId, status: 'sold' }),
          texts.findPage({ limit: 1, afterId, status: 'available' }),
          texts.findPage({ limit: 9, afterId, status: 'pending' }),
          texts.findPage({ limit: 2, afterId: added[2]?.id }),
        ]);
        const at = (...places: number[]) => textOf(places.map((place) => added[place]));
        expect(pages.map(({ text }) => text)).toEqual([at(0, 1), at(0, 1, 2, 3), at(1, 3), at(0), at(2), at(3, 4)]);
      });

      test('is larger when more is asked for the next time', async () => {
        const afterId = await newestId();
        const added = await withStatuses('sold', 'sold', 'sold');
        await texts.findPage({ limit: 1, afterId });
        expect((await texts.findPage({ limit: 3, afterId })).text).toBe(textOf(added));
      });

      test('is smaller when less is asked for the next time', async () => {
        const afterId = await newestId();
        const added = await withStatuses('sold', 'sold', 'sold');
        await texts.findPage({ limit: 3, afterId });
        expect(await texts.findPage({ limit: 2, afterId })).toEqual({
          text: textOf(added.slice(0, 2)),
          nextAfterId: added[1]?.id,
        });
      });

      test('shows an animal as soon as it was acknowledged, however often the page was asked for before', async () => {
        const afterId = await newestId();
        for (let count = 1; count <= 20; count++) {
          await pets.add(new NewPet('Rex', 7n, 'sold'));
          const { text } = await texts.findPage({ limit: 100, afterId, status: 'sold' });
          expect((JSON.parse(text) as unknown[]).length).toBe(count);
        }
      });

      test('shows every animal that was acknowledged before it was asked for, while others read and add', async () => {
        const afterId = await newestId();
        const missed = await Promise.all(
          Array.from({ length: 16 }, async () => {
            const { id } = await pets.add(new NewPet('Rex', 7n));
            const { text } = await texts.findPage({ limit: 100, afterId });
            return !text.includes(`{"id":${id},`);
          }),
        );
        expect(missed).not.toContain(true);
      });
    });
  });
}

function textOf(pets: readonly (Pet | undefined)[]): string {
  return `[${pets.map((pet) => (pet === undefined ? 'missing' : serializePet(pet))).join(',')}]`;
}
