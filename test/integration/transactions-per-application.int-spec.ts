import { EntityManager } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { UnitOfWork } from '@animal-store/kernel';
import { CurrentTransaction } from '@animal-store/persistence';
import { createMigratedDatabase } from '../support/databases.js';
import { useTwoServices, type Service } from '../support/service-without-http.js';

const NO = new Error('no');

describe('two applications in one process', () => {
  const [first, second] = useTwoServices(createMigratedDatabase);

  function emOf(service: Pick<Service, 'get'>): SqlEntityManager {
    return service.get<SqlEntityManager>(EntityManager, { strict: false });
  }

  function add(service: Pick<Service, 'get'>, name: string): Promise<unknown> {
    return emOf(service).execute(`insert into pets (name, category_id, status) values ('${name}', 1, 'available')`);
  }

  async function names(): Promise<unknown[]> {
    const rows: { name: string }[] = await emOf(first).fork().execute('select name from pets order by id');
    return rows.map(({ name }) => name);
  }

  test('have transactions of their own, also where the work of one calls the other', async () => {
    const work = first.get(UnitOfWork, { strict: false }).run(async () => {
      await add(first, 'undone');
      expect(second.get(CurrentTransaction, { strict: false }).transaction).toBeUndefined();
      await add(second, 'alone');
      await second.get(UnitOfWork, { strict: false }).run(() => add(second, 'in a unit'));
      await emOf(second).transactional(() => add(second, 'in a transaction'));
      throw NO;
    });
    await expect(work).rejects.toBe(NO);
    expect(await names()).toEqual(['alone', 'in a unit', 'in a transaction']);
  });
});
