import { migrateServer } from '@animal-store/persistence';
import { exportData, importData, type TransferPlace } from '@animal-store/persistence/transfer';
import {
  createEmbeddedDatabase,
  createMigratedDatabase,
  createServerDatabase,
  type ServerDatabase,
} from '../support/databases.js';
import { embeddedRows, serverRows } from '../support/database-rows.js';
import '../support/one-realm.js';
import { openService } from '../support/service.js';
import { withClient } from '../support/sql.js';

const ignore = () => undefined;

async function exported(place: TransferPlace): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const write = (bytes: Buffer) => {
    chunks.push(bytes);
    return Promise.resolve();
  };
  await exportData(place, write, ignore);
  return Buffer.concat(chunks);
}

function imported(place: TransferPlace, file: Buffer, replace = false): Promise<unknown> {
  async function* bytes() {
    yield await Promise.resolve(file);
  }
  return importData(place, bytes(), replace, ignore);
}

/** The file without its trailer and its header. The header states when and where the file was made. */
function dataOf(file: Buffer): string {
  return file.toString().split('\n').slice(1, -2).join('\n');
}

/** Rows of the service whose values are lost by careless code. */
const HOSTILE_ROWS = `
  insert into pets (id, name, category_id, status) overriding system value values
    (1, e'a "name"\\nof \\\\ two lines', -9223372036854775808, 'sold'),
    (9007199254740993, ' 🐈 \\N NULL ', 9223372036854775807, 'pending');
  select setval('pets_id_seq', 9007199254740999, true);
  insert into api_keys (name, hash, hint, expires_at) values ('shop', repeat('a', 64), null, '2030-01-01 00:00:00.123456+01');
  insert into api_key_audit (actor, action, key_id, key_name, details) values ('ann', 'created', 1, 'shop', '{"b": 1.10, "a": "\\""}');
  insert into idempotency_keys (holder, key, fingerprint, result_id, result_text) values
    ('shop', 'k', repeat('b', 64), 1, null), ('shop', 'K', repeat('c', 64), 2, '{"z":1, "a":9007199254740993}');
  insert into service_secrets values ('page-cursors', 'c0ffee')`;

/** Tables of a module with features of PostgreSQL: other types, foreign keys, triggers, and their own schema. */
const MODULE = `
  create schema "Vet ""1""";
  create type kind as enum ('cat', 'the "dog"');
  create table "Vet ""1"""."a visits" (
    id bigint generated always as identity primary key, parent bigint references "Vet ""1"""."a visits", owner_id bigint,
    kinds kind[], bytes bytea, price numeric(20, 4), at timestamptz(3), day date, lasts interval, text json, plain char(5),
    doubled numeric generated always as (price * 2) stored, "select" double precision, flags bit(3)
  );
  create table owners (id bigserial primary key, last_visit bigint references "Vet ""1"""."a visits", name text);
  alter table "Vet ""1"""."a visits" add foreign key (owner_id) references owners;
  create table keyless (value text);
  create function forbid() returns trigger language plpgsql as 'begin raise exception ''a trigger ran''; end';
  create trigger forbidding before insert on keyless for each row execute function forbid();
  create trigger always_forbidding before insert on owners for each row execute function forbid();
  alter table owners enable always trigger always_forbidding`;

const MODULE_ROWS = `
  set session_replication_role = replica;
  alter table owners disable trigger always_forbidding;
  insert into "Vet ""1"""."a visits" (id, parent, owner_id, kinds, bytes, price, at, day, lasts, text, plain, "select", flags)
    overriding system value values
    (1, 2, 1, '{cat,NULL,"the \\"dog\\""}', '\\x00ff5c', 123456789012345.6789, '2026-11-23 10:00:00.123+05', 'infinity', '1 mon -3 days 04:05:06.7', '{"b": 1,  "a": 1.0}', 'ab', 0.1, b'101'),
    (2, null, null, '{}', null, null, '-infinity', null, null, 'null', '', 'NaN', null);
  insert into owners (last_visit, name) values (2, ''), (1, null);
  insert into keyless values (null), (''), ('x'), ('x');
  alter table owners enable always trigger always_forbidding`;

describe('an export of a server', () => {
  let source: ServerDatabase;
  let target: ServerDatabase;
  let desk: ReturnType<typeof createEmbeddedDatabase>;

  beforeAll(async () => {
    [source, target] = await Promise.all([createMigratedDatabase(), createServerDatabase()]);
    desk = createEmbeddedDatabase();
    await withClient(source.url, async (client) => {
      await client.query(HOSTILE_ROWS);
    });
  });

  afterAll(async () => {
    await Promise.all([source.remove(), target.remove(), desk.remove()]);
  });

  test('goes into an embedded database, and from there into a server, and loses nothing', async () => {
    const embedded = { dataDir: desk.folder };
    const first = await exported({ url: source.url, dataDir: '' });
    await imported(embedded, first);
    const second = await exported(embedded);
    await imported({ url: target.url, dataDir: '' }, second);
    const rows = await serverRows(source.url);
    expect(rows['public.pets']).toHaveLength(2);
    expect(await embeddedRows(embedded.dataDir)).toEqual(rows);
    expect(await serverRows(target.url)).toEqual(rows);
    expect(dataOf(second)).toBe(dataOf(first));
  }, 60_000);

  test('holds the rows of one moment, however long it takes', async () => {
    const chunks: string[] = [];
    const write = async (bytes: Buffer) => {
      if (chunks.length === 0) {
        await withClient(source.url, (client) =>
          client.query(`insert into pets (name, category_id, status) values ('added meanwhile', 1, 'sold')`),
        );
      }
      chunks.push(bytes.toString());
    };
    await exportData({ url: source.url, dataDir: '' }, write, ignore);
    await withClient(source.url, (client) => client.query(`delete from pets where name = 'added meanwhile'`));
    expect(chunks.join('')).not.toContain('added meanwhile');
  });

  test('leaves the sequences where they were', async () => {
    const { rows } = await withClient(target.url, (client) =>
      client.query<{ id: string }>(
        `insert into pets (name, category_id, status) values ('next', 1, 'sold') returning id`,
      ),
    );
    expect(rows[0]?.id).toBe('9007199254741000');
  });
});

describe('an import into a server', () => {
  let source: ServerDatabase;
  let target: ServerDatabase;
  let place: { url: string; dataDir: string };
  let file: Buffer;

  beforeAll(async () => {
    source = await createMigratedDatabase();
    await withClient(source.url, (client) => client.query(HOSTILE_ROWS));
    file = await exported({ url: source.url, dataDir: '' });
  });

  afterAll(async () => {
    await source.remove();
  });

  beforeEach(async () => {
    target = await createMigratedDatabase();
    place = { url: target.url, dataDir: '' };
  });

  afterEach(async () => {
    await target.remove();
  });

  test('takes the tables of modules with their keys to one another and their triggers', async () => {
    const modules = await Promise.all([createMigratedDatabase(), createMigratedDatabase()]);
    const [from, to] = modules;
    for (const { url } of modules) await withClient(url, (client) => client.query(MODULE));
    await withClient(from.url, (client) => client.query(MODULE_ROWS));
    await imported({ url: to.url, dataDir: '' }, await exported({ url: from.url, dataDir: '' }));
    const rows = await serverRows(from.url);
    expect(rows['public.owners']).toHaveLength(2);
    expect(await serverRows(to.url)).toEqual(rows);
    await expect(withClient(to.url, (client) => client.query(`insert into owners values (9)`))).rejects.toThrow(
      'a trigger ran',
    );
    const dangling = `insert into "Vet ""1"""."a visits" (id, owner_id) overriding system value values (77, 77)`;
    await expect(withClient(to.url, (client) => client.query(dangling))).rejects.toThrow('foreign key');
    for (const database of modules) await database.remove();
  });

  test('keeps nothing of a file that is cut off, wherever', async () => {
    const before = await serverRows(target.url);
    for (const length of [0, 100, file.length - 200, file.length - 1]) {
      await expect(imported(place, file.subarray(0, length))).rejects.toThrow('not a whole export');
    }
    expect(await serverRows(target.url)).toEqual(before);
  });

  test('is refused where there are rows, and names the tables', async () => {
    await withClient(target.url, (client) => client.query(`insert into service_secrets values ('mine', 'x')`));
    await expect(imported(place, file)).rejects.toThrow('not empty: there are rows in service_secrets.');
  });

  test('replaces what is there when it is told to', async () => {
    await withClient(target.url, (client) =>
      client.query(
        `insert into service_secrets values ('mine', 'x'); insert into pets (name, category_id, status) values ('x', 1, 'sold')`,
      ),
    );
    await imported(place, file, true);
    expect(await serverRows(target.url)).toEqual(await serverRows(source.url));
  });

  test('keeps what is there when the file that would replace it is broken', async () => {
    await withClient(target.url, (client) => client.query(`insert into service_secrets values ('mine', 'x')`));
    const before = await serverRows(target.url);
    await expect(imported(place, file.subarray(0, -1), true)).rejects.toThrow('not a whole export');
    expect(await serverRows(target.url)).toEqual(before);
  });

  test('is refused while an instance of the service is at work', async () => {
    const service = await openService(target);
    await expect(imported(place, file, true)).rejects.toThrow('Stop every instance');
    await service.close();
  });

  test('migrates a database without tables to where the data was, and then to this version', async () => {
    const empty = await createServerDatabase();
    const older = file.toString().split('\n');
    expect(older[0]).toContain('20261123100000_idempotent_outcomes');
    await imported({ url: empty.url, dataDir: '' }, file);
    expect(await serverRows(empty.url)).toEqual(await serverRows(source.url));
    expect(await migrateServer(empty.url)).toEqual([]);
    await empty.remove();
  });

  test('is refused where the database has a migration that the data has not', async () => {
    await withClient(target.url, (client) =>
      client.query(`insert into mikro_orm_migrations (name) values ('20991231000000_later')`),
    );
    await expect(imported(place, file)).rejects.toThrow(
      'older than the database, which has been through 20991231000000_later',
    );
  });

  test('is refused where a table has other columns', async () => {
    await withClient(target.url, (client) => client.query('alter table pets add column age integer'));
    await expect(imported(place, file)).rejects.toThrow(
      'The table pets has the columns id, name, category_id, status, age',
    );
  });
});
