import { join } from 'node:path';
import { EntityManager } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { violatedConstraint } from '@animal-store/persistence';
import { createEmbeddedDatabase } from '../support/databases.js';
import { openService, type Service } from '../support/service-without-http.js';

const WITH_EXTENSIONS = join(import.meta.dirname, 'migrations-with-extensions');
const WITH_UNKNOWN = join(import.meta.dirname, 'migrations-with-unknown-extension');

function managerOf(service: Service): SqlEntityManager {
  return (service.get<EntityManager>(EntityManager, { strict: false }) as SqlEntityManager).fork();
}

async function useRooms(folder: string, use: (em: SqlEntityManager) => Promise<void>): Promise<void> {
  const service = await openService({ environment: { DATA_DIR: folder } }, { migrations: [WITH_EXTENSIONS] });
  try {
    await use(managerOf(service));
  } finally {
    await service.close();
  }
}

const ADD = `insert into rooms (room, time) values (1, '[1,3)')`;

async function expectFull(em: SqlEntityManager): Promise<void> {
  expect(violatedConstraint(await em.execute(ADD).catch((error: unknown) => error))).toBe('rooms_excl');
}

describe('the extensions of the embedded database', () => {
  const database = createEmbeddedDatabase();

  afterAll(() => database.remove());

  test('are those that migrations create, also when it is opened again', async () => {
    await useRooms(database.folder, async (em) => {
      await em.execute(ADD);
      await expectFull(em);
    });
    await useRooms(database.folder, expectFull);
  });

  test('are named if they do not exist', async () => {
    await expect(openService(database, { migrations: [WITH_UNKNOWN] })).rejects.toThrow(
      'The embedded database does not have the extension postgis',
    );
  });
});
