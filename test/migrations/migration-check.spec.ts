import { loadModule } from 'libpg-query';
import { checkMigration, type Finding } from './migration-check.js';

beforeAll(() => loadModule());

function check(texts: readonly string[], isTransactional = true): Finding[] {
  return checkMigration({ texts, isTransactional });
}

function rulesBrokenBy(...texts: string[]): string[] {
  return check(texts).map(({ rule }) => rule);
}

describe('a migration is refused', () => {
  test.each([
    ['drops a table', 'drop', 'drop table pets'],
    [
      'drops a constraint, which may be what a write conflicts with',
      'drop',
      'alter table pets drop constraint pets_pkey',
    ],
    [
      'adds a column that must have a value, without a default',
      'not-null',
      'alter table pets add column a text not null',
    ],
    ['forbids null', 'not-null', 'alter table pets alter column name set not null'],
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
    ['makes an index while nobody can write', 'index', 'create index i on pets (name)'],
    [
      'adds a column with a default that differs',
      'rewrite',
      'alter table pets add column a uuid default gen_random_uuid()',
    ],
    ['changes many rows', 'bulk-change', "update pets set status = 'sold'"],
    ['drops an index', 'drop', 'drop index concurrently if exists i'],
    ['does what no rule knows', 'unknown', 'lock table pets'],
  ])('that %s', (_what, rule, text) => {
    expect(rulesBrokenBy(text)).toEqual([rule]);
  });

  const MAKE = 'create index concurrently i on pets (name)';

  test.each([
    [[MAKE]],
    [['create index concurrently if not exists i on pets (name)']],
    [['drop index concurrently if exists j', MAKE]],
  ])('that makes an index concurrently, where a broken run may have left an invalid one: %j', (texts) => {
    expect(check(texts, false).map(({ rule }) => rule)).toContain('index');
  });

  test('that makes an index concurrently in a transaction', () => {
    expect(rulesBrokenBy('drop index concurrently if exists i', MAKE)).toEqual(['transaction', 'transaction']);
  });

  test('that validates a constraint under the lock under which it was added', () => {
    const add = "alter table pets add constraint c check (name <> '') not valid";
    const validate = 'alter table pets validate constraint c';
    expect(rulesBrokenBy(add, validate)).toEqual(['validation']);
    expect(rulesBrokenBy(`${add}, validate constraint c`)).toEqual(['validation']);
  });
});

describe('a migration may', () => {
  test.each([
    ['make a table with all that belongs to it', 'create table toys (id bigserial primary key, a int references pets)'],
    ['add a column with a constant', "alter table pets add column a text not null default 'none'"],
    [
      'add a column with the time at which it is added',
      'alter table pets add column a timestamptz not null default now()',
    ],
    ['add a check for new rows', "alter table pets add constraint c check (name <> '') not valid"],
    ['set a default for new rows', 'alter table pets alter column a set default gen_random_uuid()'],
  ])('%s', (_what, text) => {
    expect(check([text])).toEqual([]);
  });

  test('do anything with a table that it made', () => {
    const texts = [
      'create table public.toys (a int)',
      'create unique index i on toys (a)',
      'insert into toys select 1',
      'update toys set a = 1',
      'delete from toys',
      'alter table toys rename column a to b',
      'alter table toys alter column b set not null, drop column b',
      'drop table public.toys',
    ];
    expect(check(texts)).toEqual([]);
  });

  test('make an index concurrently, outside of a transaction', () => {
    const texts = ['drop index concurrently if exists i', 'create index concurrently i on pets (name)'];
    expect(check(texts, false)).toEqual([]);
  });
});

describe('an exemption', () => {
  const DROP = 'alter table pets drop column mood';

  test('excuses its rule in its statement', () => {
    expect(check([`-- exempt drop: 1.1 no longer reads it\n${DROP}`])).toEqual([]);
  });

  test.each(['-- exempt drop', '-- exempt drop:', '-- exempt drop: because'])('has a reason, unlike %j', (comment) => {
    expect(rulesBrokenBy(`${comment}\n${DROP}`)).toEqual(['exemption']);
  });

  test('that excuses nothing is refused, so that none outlives what it was for', () => {
    expect(rulesBrokenBy(`-- exempt rename: 1.1 no longer reads it\n${DROP}`)).toEqual(['drop', 'exemption']);
  });
});
