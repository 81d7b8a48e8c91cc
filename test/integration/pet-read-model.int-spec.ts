import fc from 'fast-check';
import { INT64_MAX, INT64_MIN } from '@animal-store/kernel';
import { NewPet, PET_STATUSES, petRules, type Pet, PetReadModel, PetRepository } from '@animal-store/pets-domain';
import { serializePet } from '../../apps/api/src/pets/pet.dto.js';
import { describePaging, idsOf } from '../contracts/paging.contract.js';
import { createMigratedDatabase } from '../support/databases.js';
import { useService } from '../support/service-without-http.js';

const character = fc
  .oneof(
    { weight: 4, arbitrary: fc.constantFrom(...Array.from(`"\\/{}[],:'\n\t\b\f\r\u0001\u001e\u001f\u007f\u2028 $?`)) },
    { weight: 2, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 0xd7ff }) },
    { weight: 1, arbitrary: fc.integer({ min: 0xe000, max: 0x10ffff }) },
  )
  .map((value) => (typeof value === 'number' ? String.fromCodePoint(value) : value));

/** Names that are difficult for a renderer: escapes, and text that looks like the text between two pets. */
const names = fc
  .oneof(
    fc.string({ unit: character, minLength: 1, maxLength: 40 }),
    fc.constantFrom('},{"id":', '"},{"id":5,"name":"', '","status":"sold"},{"id":1,', '],[', '\\', '\\"', '"', 'null'),
  )
  .filter((name) => petRules.name(name) === undefined);

/** Values for every field: a field that is missing here does not compile, so none is left out of a serializer unnoticed. */
const fields: { readonly [Field in keyof Required<NewPet>]: fc.Arbitrary<NewPet[Field]> } = {
  name: names,
  categoryId: fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
  status: fc.constantFrom(...PET_STATUSES),
};

const newPets = fc
  .record(fields)
  .map((values) => new NewPet(...(Object.values(values) as ConstructorParameters<typeof NewPet>)));

/** The statuses that do not match the filter of the tests. */
const STATUSES = ['available', 'pending'] as const;

describe('the catalogue as text', () => {
  const service = useService(createMigratedDatabase);
  let pets: PetRepository;
  let texts: PetReadModel;

  beforeAll(() => {
    [pets, texts] = [service.get(PetRepository), service.get(PetReadModel)];
  });

  async function newestId(): Promise<bigint> {
    return idsOf((await texts.findPage({ limit: 100_000 })).text).at(-1) ?? 0n;
  }

  async function addAll(...added: NewPet[]): Promise<Pet[]> {
    const all: Pet[] = [];
    for (const pet of added) all.push(await pets.add(pet));
    return all;
  }

  describe('a pet', () => {
    test('is the text that the API makes of it, whatever its fields', async () => {
      await fc.assert(
        fc.asyncProperty(newPets, async (pet) => {
          const added = await pets.add(pet);
          expect(await texts.findById(added.id)).toBe(serializePet(added));
        }),
        { numRuns: 60 },
      );
    });
  });

  describe('a page', () => {
    test('is cut between two pets, whatever their fields', async () => {
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
  });

  describePaging('of the catalogue', () => {
    let added = 0;
    return Promise.resolve({
      // Both ways of adding a pet must keep the order of the ids.
      add: async ({ filtered }) => {
        added += 1;
        const pet = new NewPet('Rex', 7n, filtered ? 'sold' : STATUSES[added % STATUSES.length]);
        if (added % 2 === 0) return (await pets.add(pet)).id;
        return (await pets.addOnce(pet, { holder: 'walk', key: crypto.randomUUID() }, 'add')).added.id;
      },
      page: async ({ filtered = false, ...query }) =>
        idsOf((await texts.findPage({ ...query, ...(filtered && { status: 'sold' }) })).text),
      close: () => Promise.resolve(),
    });
  });

  test.each([0n, -1n, INT64_MIN, INT64_MAX])('is nothing for %p, which no pet has', async (id) => {
    expect(await texts.findById(id)).toBeUndefined();
  });

  test('is the right one for each of those who ask at the same time', async () => {
    const added = await addAll(...Array.from({ length: 20 }, () => new NewPet('Rex', 7n)));
    const found = await Promise.all(added.map(({ id }) => texts.findById(id)));
    expect(found).toEqual(added.map(serializePet));
  });

  test('of a page names no next one where the filter lets none through that follow', async () => {
    const afterId = await newestId();
    const added = await addAll(new NewPet('Rex', 7n, 'sold'), new NewPet('Rex', 7n));
    expect(await texts.findPage({ limit: 1, afterId, status: 'sold' })).toEqual({
      text: textOf(added.slice(0, 1)),
      nextAfterId: undefined,
    });
  });
});

function textOf(pets: readonly (Pet | undefined)[]): string {
  return `[${pets.map((pet) => (pet === undefined ? 'missing' : serializePet(pet))).join(',')}]`;
}
