import { IdempotencyKeySweep } from '@animal-store/persistence/idempotency';
import { SWEEP_IDEMPOTENCY_KEYS } from '../../libs/persistence/src/idempotency/idempotency-key-sweep.js';
import { Statements } from '../../libs/persistence/src/statements.js';
import { createMigratedDatabase } from '../support/databases.js';
import { openService, useService } from '../support/service-without-http.js';
import { withClient } from '../support/database-client.js';

describe('sweeping the idempotency keys', () => {
  const service = useService(createMigratedDatabase);
  let statements: Statements;
  let sweep: IdempotencyKeySweep;

  beforeAll(() => {
    statements = service.get(Statements, { strict: false });
    sweep = service.get(IdempotencyKeySweep, { strict: false });
  });

  beforeEach(() => run('delete from idempotency_keys'));

  async function run(text: string): Promise<readonly (readonly unknown[])[]> {
    return await statements.run({ name: '', text }, []);
  }

  /** @param count the number of keys of this age. Their names contain the age and a number. */
  async function use(count: number, hours: number): Promise<void> {
    await run(
      `insert into idempotency_keys (holder, key, content_hash, outcome_id, created_at)
       select 'shop', '${hours} h ' || n, repeat('0', 64), n, now() - interval '${hours} hours'
       from generate_series(1, ${count}) as n`,
    );
  }

  async function keys(): Promise<unknown[]> {
    return (await run('select key from idempotency_keys order by key')).map(([key]) => key);
  }

  test('removes those that are 24 hours old, and no other', async () => {
    await use(2, 24);
    await use(1, 1000);
    await use(1, 23.99);
    await use(1, 0);
    expect(await sweep.sweep()).toBe(3);
    expect(await keys()).toEqual(['0 h 1', '23.99 h 1']);
  });

  test('removes more than one batch', async () => {
    await use(2_500, 25);
    expect(await sweep.sweep()).toBe(2_500);
    expect(await keys()).toEqual([]);
  });
});

test('sweeping passes over keys that somebody else has locked, and does not wait for them', async () => {
  const database = await createMigratedDatabase();
  const service = await openService(database);
  const insert = `insert into idempotency_keys values ('shop', $1, repeat('0', 64), 1, null, now() - interval '25 hours')`;
  const swept = await withClient(database.url, async (client) => {
    for (const key of ['locked', 'free']) await client.query(insert, [key]);
    await client.query('begin');
    await client.query(`select from idempotency_keys where key = 'locked' for update`);
    return await service.get(IdempotencyKeySweep, { strict: false }).sweep();
  });
  expect(swept).toBe(1);
  await service.close();
  await database.remove();
});

test('sweeping looks at old keys alone, however many there are', async () => {
  const database = await createMigratedDatabase();
  const plan = await withClient(database.url, async (client) => {
    await client.query(
      `insert into idempotency_keys
       select 'shop', n::text, repeat('0', 64), n, null, now() - n * interval '5 seconds' from generate_series(1, 20000) as n`,
    );
    await client.query('vacuum analyze idempotency_keys');
    const { rows } = await client.query({ text: `explain ${SWEEP_IDEMPOTENCY_KEYS.text}`, values: [1000] });
    return rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toContain('Index Scan using idempotency_keys_created_at_index');
  expect(plan).toContain('Tid Scan');
  expect(plan).not.toMatch(/Seq Scan|Sort/);
  await database.remove();
});
