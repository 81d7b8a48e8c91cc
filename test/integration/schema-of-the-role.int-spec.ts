import { UnitOfWork } from '@animal-store/kernel';
import { DatabaseHealth, migrateServer } from '@animal-store/persistence';
import { NewPet, PetReadModel, PetRepository } from '@animal-store/pets-domain';
import { createServerDatabase, useDatabase } from '../support/databases.js';
import { openService } from '../support/service-without-http.js';
import { withClient } from '../support/database-client.js';

const database = useDatabase(createServerDatabase);

/** The address of the database for a new role. @param sql gives the role its schema: `role` is its name */
async function createRole(role: string, sql: string): Promise<string> {
  const url = new URL(database.url);
  await withClient(database.url, (client) =>
    client.query(
      `create role ${role} login password '${role}'; ${sql}; grant create on database "${url.pathname.slice(1)}" to ${role}`,
    ),
  );
  [url.username, url.password] = [role, role];
  return url.toString();
}

function dropRole(role: string): Promise<unknown> {
  return withClient(database.url, (client) => client.query(`drop owned by ${role} cascade; drop role ${role}`));
}

describe.each([
  ['a schema of the name of the role', (role: string) => `create schema authorization ${role}`],
  [
    'a search path of the role, also where another application has its tables in the next schema of the path',
    (role: string) =>
      `create schema ${role}_shop authorization ${role}; alter role ${role} set search_path = ${role}_shop, public;
       create table if not exists public.mikro_orm_migrations (id int, name text, executed_at timestamptz);
       grant select on public.mikro_orm_migrations to ${role}`,
  ],
])('%s', (_what, sql) => {
  const role = `role_${crypto.randomUUID().slice(0, 8)}`;
  let url: string;

  beforeAll(async () => {
    url = await createRole(role, sql(role));
  });

  afterAll(() => dropRole(role));

  test('gets the tables by the first migration, no other by the second, and serves', async () => {
    const pending = await openService({ environment: { DATABASE_URL: url } });
    await expect(pending.get(DatabaseHealth, { strict: false }).check()).rejects.toThrow('Migrations are pending');
    await pending.close();
    expect([(await migrateServer(url)).length > 0, await migrateServer(url)]).toEqual([true, []]);
    const service = await openService({ environment: { DATABASE_URL: url } });
    await service.get(DatabaseHealth, { strict: false }).check();
    const { id } = await service.get(PetRepository).add(new NewPet('Rex', 7n));
    expect(await service.get(PetReadModel).findById(id)).toContain('"Rex"');
    const loaded = await service.get(UnitOfWork).run(() => service.get(PetRepository).findForUpdate(id));
    expect(loaded).toMatchObject({ name: 'Rex' });
    await service.close();
    const { rows } = await withClient(database.url, (client) =>
      client.query<{ schema: string }>(
        `select schemaname as schema from pg_tables where tablename = 'pets' and tableowner = '${role}'`,
      ),
    );
    expect(rows).toEqual([{ schema: expect.stringContaining(role) as string }]);
  });
});
