import { loadModule } from 'libpg-query';
import { checkMigration, type Finding } from './migration-check.js';

beforeAll(() => loadModule());

function check(texts: readonly string[], isTransactional = true): Finding[] {
  return checkMigration({ texts, isTransactional }, new Set());
}

function rulesBrokenBy(...texts: string[]): string[] {
  return check(texts).map(({ rule }) => rule);
}

describe('a migration is refused', () => {
  test.each([
    ['drops a table', 'drop', 'drop table pets'],
    ['drops a column', 'drop', 'alter table pets drop column name'],
    [
      'drops a constraint, which may be what a write conflicts with',
      'drop',
      'alter table pets drop constraint pets_pkey',
    ],
    ['takes all rows', 'drop', 'truncate pets'],
    ['takes a privilege', 'drop', 'revoke select on pets from animal_store'],
    ['renames a table', 'rename', 'alter table pets rename to pets'],
    [
      'adds a column that must have a value, without a default',
      'not-null',
      'alter table pets add column a text not null',
    ],
    ['forbids null', 'not-null', 'alter table pets alter column name set not null'],
    ['allows null', 'nullable', 'alter table pets alter column name drop not null'],
    ['changes a type', 'column-type', 'alter table pets alter column name type text'],
    [
      'adds a check that holds for all rows at once',
      'constraint',
      "alter table pets add constraint c check (name <> '')",
    ],
    [
      'adds a foreign key that holds for all rows at once',
      'constraint',
      'alter table pets add foreign key (a) references b',
    ],
    ['adds a unique constraint', 'constraint', 'alter table pets add constraint c unique (name)'],
    ['makes an index while nobody can write', 'index', 'create index i on pets (name)'],
    [
      'adds a column with a default that differs',
      'rewrite',
      'alter table pets add column a uuid default gen_random_uuid()',
    ],
    ['adds a column with a sequence', 'rewrite', 'alter table pets add column a bigserial'],
    ['changes many rows', 'bulk-change', "update pets set status = 'sold'"],
    ['copies rows into a table', 'bulk-change', 'insert into pets (name) select name from pets'],
    [
      'makes an index concurrently in a transaction',
      'transaction',
      'create index concurrently if not exists i on pets (name)',
    ],
    ['does what no rule knows', 'unknown', 'lock table pets'],
    ['replaces a view', 'unknown', 'create or replace view sold_pets as select 1'],
    ['runs a program', 'unknown', 'do $$ begin drop table pets; end $$'],
    ['is no SQL', 'unknown', 'alter tabel pets'],
  ])('that %s', (_what, rule, text) => {
    expect(rulesBrokenBy(text)).toEqual([rule]);
  });

  test('that makes an index concurrently, and fails when it is run again after it was made', () => {
    expect(check(['create index concurrently i on pets (name)'], false).map(({ rule }) => rule)).toEqual(['index']);
  });

  test('that makes a unique index on a table that is there, however it is made', () => {
    const texts = ['create unique index concurrently if not exists i on pets (name)'];
    expect(check(texts, false).map(({ rule }) => rule)).toEqual(['constraint']);
  });

  test('that makes an index concurrently in a text with another statement, which is a transaction', () => {
    const texts = [
      'create index concurrently if not exists i on pets (name); select_nothing: ',
      'set lock_timeout = 0',
    ];
    expect(check(texts, false).map(({ rule }) => rule)).toEqual(['unknown']);
    const two = ['set lock_timeout = 0; create index concurrently if not exists i on pets (name)'];
    expect(check(two, false).map(({ rule }) => rule)).toEqual(['transaction']);
  });

  test('that validates a constraint under the lock under which it was added', () => {
    const add = "alter table pets add constraint c check (name <> '') not valid";
    const validate = 'alter table pets validate constraint c';
    expect(rulesBrokenBy(add, validate)).toEqual(['validation']);
    expect(rulesBrokenBy(`${add}, validate constraint c`)).toEqual(['validation']);
  });

  test('for everything that it breaks, with the statement in one line', () => {
    expect(check(['select 1', 'drop table\n  pets -- all of it', 'alter table pets rename to pets'])).toEqual([
      expect.objectContaining({ rule: 'unknown', statement: 'select 1' }),
      expect.objectContaining({ rule: 'drop', statement: 'drop table pets' }),
      expect.objectContaining({ rule: 'rename' }),
    ]);
  });
});

describe('a migration may', () => {
  test.each([
    ['make a table with all that belongs to it', 'create table toys (id bigserial primary key, a int references pets)'],
    ['add a column that may be null', 'alter table pets add column a text null'],
    ['add a column with a constant', "alter table pets add column a text not null default 'none'"],
    [
      'add a column with the time at which it is added',
      'alter table pets add column a timestamptz not null default now()',
    ],
    ['add a check for new rows', "alter table pets add constraint c check (name <> '') not valid"],
    ['validate a constraint of a migration before', 'alter table pets validate constraint c'],
    ['set a default for new rows', 'alter table pets alter column a set default gen_random_uuid()'],
    ['set how a table is kept', 'alter table pets set (fillfactor = 90)'],
    ['list rows', "insert into service_secrets (name, value) values ('a', 'b')"],
    ['make a view', 'create view sold_pets as select 1'],
    ['make a function and a trigger', 'create function f() returns int language sql return 1'],
    ['set a limit of its own', 'set local statement_timeout = 0'],
  ])('%s', (_what, text) => {
    expect(check([text])).toEqual([]);
  });

  test('do anything with a table that it made, or one before it that is not released', () => {
    const newTables = new Set<string>();
    const make = checkMigration({ texts: ['create table public.toys (a int)'], isTransactional: true }, newTables);
    const texts = [
      'create unique index i on toys (a)',
      'insert into toys select 1',
      'update toys set a = 1',
      'delete from toys',
      'alter table toys rename column a to b',
      'alter table toys alter column b set not null, drop column b',
      'drop table public.toys',
    ];
    expect([...make, ...checkMigration({ texts, isTransactional: true }, newTables)]).toEqual([]);
  });

  test('not do so with a table that was made only if there was none', () => {
    expect(rulesBrokenBy('create table if not exists toys (a int)', 'drop table toys')).toEqual(['drop']);
  });

  test('not do so with a table of the same name in another schema', () => {
    expect(rulesBrokenBy('create table shop.pets (a int)', 'drop table pets')).toEqual(['drop']);
  });

  test('make an index concurrently, outside of a transaction', () => {
    expect(check(['create index concurrently if not exists i on pets (name)'], false)).toEqual([]);
  });
});

describe('an exemption', () => {
  const DROP = 'alter table pets drop column mood';

  test('excuses its rule in its statement', () => {
    expect(check([`-- exempt drop: 1.1 no longer reads it\n${DROP}`])).toEqual([]);
  });

  test('excuses no other statement', () => {
    expect(rulesBrokenBy(`-- exempt drop: 1.1 no longer reads it\n${DROP}`, DROP)).toEqual(['drop']);
  });

  test('excuses no other rule', () => {
    expect(rulesBrokenBy(`-- exempt drop: 1.1 no longer reads it\n${DROP}, alter column name type text`)).toEqual([
      'column-type',
    ]);
  });

  test.each(['-- exempt drop', '-- exempt drop:', '-- exempt drop: because'])('has a reason, unlike %j', (comment) => {
    expect(rulesBrokenBy(`${comment}\n${DROP}`)).toEqual(['exemption']);
  });

  test('that excuses nothing is refused, so that none outlives what it was for', () => {
    expect(rulesBrokenBy(`-- exempt rename: 1.1 no longer reads it\n${DROP}`)).toEqual(['drop', 'exemption']);
  });
});
