import { MikroORM } from '@mikro-orm/core';
import { NewPet, Pet, PetReadModel, PetRepository } from '@animal-store/pets-domain';
import { createMigratedDatabase, createServerDatabase, useDatabase } from '../support/databases.js';
import { openService } from '../support/service-without-http.js';
import { withClient } from '../support/database-client.js';

const primary = useDatabase(createMigratedDatabase);
const reads = useDatabase(createMigratedDatabase);
const empty = useDatabase(createServerDatabase);

beforeAll(async () => {
  await withClient(reads.url, (client) =>
    client.query("insert into pets values (1, 'from the address of reads', 7, 'sold')"),
  );
});

/** The names of the pets on the first page, twice, and that of the pet 1 as an entity manager knows it. */
async function read(readUrl: string) {
  const service = await openService({ environment: { ...primary.environment, DATABASE_READ_URL: readUrl } });
  try {
    const page = async () => {
      const { text } = await service.get(PetReadModel).findPage({ limit: 1 });
      return (JSON.parse(text) as { name: string }[]).map(({ name }) => name);
    };
    return {
      pages: [await page(), await page()].flat(),
      pet: (await service.get(MikroORM).em.fork().findOne(Pet, { id: 1n }))?.name,
    };
  } finally {
    await service.close();
  }
}

describe('lists', () => {
  beforeAll(async () => {
    const service = await openService(primary);
    await service.get(PetRepository).add(new NewPet('from the primary', 7n));
    await service.close();
  });

  test('are read at the address of reads, and objects to work with at the primary', async () => {
    expect(await read(reads.url)).toEqual({
      pages: ['from the address of reads', 'from the address of reads'],
      pet: 'from the primary',
    });
  });

  test.each<[string, () => string]>([
    ['cannot be reached', () => 'postgresql://postgres@127.0.0.1:1/none'],
    ['has not got its tables yet', () => empty.url],
  ])('are read at the primary while the address of reads %s', async (_what, url) => {
    expect((await read(url())).pages).toEqual(['from the primary', 'from the primary']);
  });
});
