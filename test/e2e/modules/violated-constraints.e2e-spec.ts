import { EntityManager, OptimisticLockError } from '@mikro-orm/postgresql';
import { Controller, Module, Param, Post } from '@nestjs/common';
import { UnitOfWork } from '@animal-store/kernel';
import { violatedConstraint } from '@animal-store/persistence';
import { createMigratedDatabase } from '../../support/databases.js';
import { readError } from '../../support/error-body.js';
import { useApp } from '../../support/running-app.js';
import { withClient } from '../../support/database-client.js';

const SCHEMA = `
  create table vets (id int constraint vets_pkey primary key, name text not null, born date, code varchar(3));
  create table bookings (
    vet int constraint bookings_vet_fkey references vets,
    room int constraint bookings_room_check check (room > 0),
    time int4range, constraint bookings_time_excl exclude using gist (time with &&)
  );
  insert into vets values (1, 'Ann');
  insert into bookings (time) values ('[1,3)')`;

const VIOLATIONS: Readonly<Record<string, string>> = {
  unique: `insert into vets values (1, 'Bob')`,
  'foreign key': 'insert into bookings (vet) values (7)',
  exclusion: `insert into bookings (time) values ('[2,4)')`,
  check: 'insert into bookings (room) values (0)',
  'not null': 'insert into vets values (2, null)',
  'a number that is too large': `insert into vets values (5000000000, 'Bob')`,
  'a day that does not exist': `insert into vets values (2, 'Bob', '2027-02-30')`,
  'a text that is too long': `insert into vets values (2, 'Bob', null, 'long')`,
};

/** A module that leaves the checks to the database. */
@Controller('bookings')
class BookingsController {
  constructor(
    private readonly em: EntityManager,
    private readonly units: UnitOfWork,
  ) {}

  @Post('stale')
  stale(): never {
    throw OptimisticLockError.lockFailed('Booking');
  }

  @Post(':kind/:way')
  async violate(@Param('kind') kind: string, @Param('way') way: string): Promise<unknown> {
    const violate = () => this.em.execute(VIOLATIONS[kind] ?? '');
    if (way === 'alone') return await violate();
    if (way === 'unit') return await this.units.run(violate);
    return await violate().catch((error: unknown) => ({ constraint: violatedConstraint(error) }));
  }
}

@Module({ controllers: [BookingsController] })
class BookingsModule {}

const app = useApp(createMigratedDatabase, {}, { features: [BookingsModule] });

function post(...path: string[]): Promise<Response> {
  return app.request(`/bookings/${path.map(encodeURIComponent).join('/')}`, { method: 'POST' });
}

beforeAll(() => withClient(app.database.url, (client) => client.query(SCHEMA)));

test.each([
  ['unique', 409, 'vets_pkey'],
  ['foreign key', 409, 'bookings_vet_fkey'],
  ['exclusion', 409, 'bookings_time_excl'],
  ['check', 400, 'bookings_room_check'],
  ['not null', 400, 'vets.name'],
])('a violated constraint is an error of the request, and is found by its name: %s', async (kind, status, name) => {
  for (const way of ['alone', 'unit']) {
    const error = await readError(await post(kind, way));
    expect(error).toMatchObject({ status, code: status === 409 ? 'conflict' : 'invalid_request' });
    expect(error.message).not.toContain(name);
  }
  expect(await (await post(kind, 'caught')).json()).toEqual({ constraint: name });
});

test.each([
  ['a number that is too large', 400, 'invalid_request'],
  ['a day that does not exist', 400, 'invalid_request'],
  ['a text that is too long', 400, 'invalid_request'],
  ['stale', 409, 'conflict'],
])('a value that its column refuses, or another version, is one too: %s', async (kind, status, code) => {
  const answer = await (kind === 'stale' ? post(kind) : post(kind, 'alone'));
  expect(await readError(answer)).toMatchObject({ status, code });
});
