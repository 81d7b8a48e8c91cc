import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { MikroORM } from '@mikro-orm/core';
import { createMigratedDatabase, nextPage, readError, useApp, type StartOptions } from '@animal-store/testing';
import { Pet } from '@animal-store/pets-domain';
import { Appointment, AppointmentRepository, type AppointmentPage } from '../src/domain/appointment.js';
import { AppointmentsModule } from '../src/index.js';

const MIGRATIONS = join(import.meta.dirname, '../src/persistence/migrations');
const WITH_APPOINTMENTS: StartOptions = { features: [AppointmentsModule], migrations: [MIGRATIONS] };

describe('appointments', () => {
  const app = useApp(() => createMigratedDatabase([MIGRATIONS]), {}, WITH_APPOINTMENTS);
  let petId: number;

  beforeAll(async () => {
    petId = ((await (await app.createPet({ name: 'Rex', categoryId: 7 })).json()) as { id: number }).id;
  });

  function book(vet: string, hour: number, changes: object = {}): Promise<Response> {
    const [startsAt, endsAt] = [hour, hour + 1].map((at) => new Date(Date.UTC(2030, 0, 1, at)).toISOString());
    return app.request('/v1/appointments', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ petId, vet, startsAt, endsAt, price: '49.90', ...changes }),
    });
  }

  /** All appointments of a list, page after page. */
  async function walk(list: string): Promise<{ readonly vet: string; readonly startsAt: string }[]> {
    const found: { readonly vet: string; readonly startsAt: string }[] = [];
    let path: string | undefined = list;
    while (path !== undefined) {
      const answer = await app.request(path);
      found.push(...((await answer.json()) as typeof found));
      path = nextPage(answer);
    }
    return found;
  }

  test('have the table that their mapping describes', async () => {
    expect(await app.app.get(MikroORM).schema.getUpdateSchemaSQL()).toBe('');
  });

  test('are booked with an exact price, and shown with the name of the pet', async () => {
    const answer = await book('Ann', 1);
    expect([answer.status, await answer.json()]).toEqual([
      201,
      expect.objectContaining({ petId, petName: 'Rex', price: '49.90', startsAt: '2030-01-01T01:00:00.000Z' }),
    ]);
  });

  test('have a price that is written in one way only', async () => {
    expect((await book('Ann', 2, { price: '049.90' })).status).toBe(400);
  });

  test('of one vet never overlap', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => book('Bob', 1)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect((await readError(answers.find(({ status }) => status === 409)!)).code).toBe('slot_taken');
  });

  test('are of pets that there are', async () => {
    expect((await book('Cid', 1, { petId: 999 })).status).toBe(404);
  });

  test('are listed by start, by vet and by pet, page after page', async () => {
    for (const hour of [5, 3, 4, 2]) await book('Dora', hour);
    await book('Eve', 3);
    const ofDora = await walk(`/v1/appointments?vet=Dora&petId=${petId}&limit=2`);
    expect(ofDora.map(({ startsAt }) => startsAt.slice(11, 13))).toEqual(['02', '03', '04', '05']);
  });

  test('are listed each once where several start at the same time, and exported in the same order, one in a line', async () => {
    for (const vet of ['Flo', 'Gus', 'Hal']) await book(vet, 9);
    const lines = (await (await app.request('/v1/appointments/export')).text()).trim().split('\n');
    const listed = await walk('/v1/appointments?limit=1');
    expect(listed.slice(-3).map(({ vet }) => vet)).toEqual(['Flo', 'Gus', 'Hal']);
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(listed);
  });
});

/** More appointments than the buffers between server and client can hold: 40 MB. */
const PAGES = 200;

/** Has many appointments, and counts the pages that are read. */
class CountedAppointments extends AppointmentRepository {
  read = 0;

  override book(): Promise<Appointment> {
    return Promise.reject(new Error('Not here'));
  }

  override findPage({ limit }: { readonly limit: number }): Promise<AppointmentPage> {
    this.read += 1;
    const pet = new Pet(1n, 'Rex', 7n, 'available');
    const one = new Appointment('Ann'.repeat(100), pet, new Date(0), new Date(1), '49.90');
    return Promise.resolve({
      appointments: Array<Appointment>(limit).fill(one),
      nextAfterId: this.read === PAGES ? undefined : BigInt(this.read),
    });
  }
}

describe('an export', () => {
  const appointments = new CountedAppointments();
  const app = useApp(
    createMigratedDatabase,
    {},
    {
      ...WITH_APPOINTMENTS,
      overrides: [{ provide: AppointmentRepository, useValue: appointments }],
    },
  );

  test('reads no more pages while its client reads nothing', async () => {
    const reader = (await app.request('/v1/appointments/export')).body!.getReader();
    await reader.read();
    let before: number;
    do {
      before = appointments.read;
      await delay(500);
    } while (appointments.read > before);
    expect(before).toBeLessThan(PAGES);
    while (!(await reader.read()).done);
    expect(appointments.read).toBe(PAGES);
  }, 120_000);
});
