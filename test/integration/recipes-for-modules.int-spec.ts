import { EntityManager } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { createMigratedDatabase, useOnDatabase } from '../support/databases.js';
import { openService } from '../support/service-without-http.js';

/** As docs/modules.md has it. */
function onOneInstance(em: SqlEntityManager, name: string, work: (em: SqlEntityManager) => Promise<void>) {
  return em.fork().transactional(async (inside) => {
    const [lock] = await inside.execute<[{ mine: boolean }]>('select pg_try_advisory_xact_lock(hashtext(?)) as mine', [
      name,
    ]);
    if (lock.mine) await work(inside);
  });
}

describe('a recipe for modules', () => {
  const [first, second] = useOnDatabase(createMigratedDatabase, 2, openService);

  function emOf(service: typeof first): SqlEntityManager {
    return service!.get<SqlEntityManager>(EntityManager, { strict: false });
  }

  test('runs work after the commit of its own transaction, and not after a rollback', async () => {
    const done: string[] = [];
    const change = (name: string, fails: boolean) =>
      emOf(first)
        .fork()
        .transactional(async (em) => {
          em.getEventManager().registerSubscriber({ afterTransactionCommit: () => void done.push(name) });
          await em.execute(`insert into pets (name, category_id, status) values ('${name}', 7, 'available')`);
          expect(done).not.toContain(name);
          if (fails) throw new Error('no');
        });
    await expect(change('undone', true)).rejects.toThrow('no');
    await change('one', false);
    await change('other', false);
    expect(done).toEqual(['one', 'other']);
  });

  test('runs work on one instance at a time', async () => {
    let runs = 0;
    const meanwhile = () => onOneInstance(emOf(second), 'close-old', () => Promise.resolve(void (runs += 1)));
    await onOneInstance(emOf(first), 'close-old', async () => {
      runs += 1;
      await meanwhile();
    });
    expect(runs).toBe(1);
    await meanwhile();
    expect(runs).toBe(2);
  });
});
