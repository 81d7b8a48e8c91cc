import {
  createMigratedDatabase,
  readError,
  Scrape,
  startApp,
  useApp,
  useDatabase,
  useService,
  WITH_METRICS,
} from '@animal-store/testing';
import { Serialized } from '@animal-store/kernel';
import { PetReadModel } from '@animal-store/pets-domain';

/** A catalogue that returns a pet for every id. */
class OnePet implements Pick<PetReadModel, 'findById'> {
  findById(id: bigint): Promise<Serialized> {
    return Promise.resolve(new Serialized(`{"id":${id},"name":"Rex"}`));
  }
}

describe('an application with a provider of the test', () => {
  const app = useApp(createMigratedDatabase, WITH_METRICS, {
    overrides: [{ provide: PetReadModel, useValue: new OnePet() }],
  });

  test('answers from it', async () => {
    const answer = await app.request('/v1/pets/9007199254740993');
    expect([answer.status, await answer.text()]).toEqual([200, '{"id":9007199254740993,"name":"Rex"}']);
  });

  test('is the service in everything else: errors, header fields, guards, metrics', async () => {
    const answer = await app.request('/v1/nowhere', { headers: { 'x-request-id': 'mine' } });
    expect(answer.headers.get('x-request-id')).toBe('mine');
    expect(await readError(answer)).toMatchObject({ code: 'not_found' });
    expect((await app.request('/v1/pets/1', { key: null })).status).toBe(401);
    expect((await app.createPet({ name: 'Rex', categoryId: 7 })).status).toBe(201);
    const { names } = await Scrape.of(app.app);
    expect(names).toContain('animal_store_http_request_duration_seconds');
  });
});

describe('what is behind HTTP, with a provider of the test', () => {
  const catalogue = new OnePet();
  const service = useService(createMigratedDatabase, { overrides: [{ provide: PetReadModel, useValue: catalogue }] });

  test('has it in the place of its own', () => {
    expect(service.get(PetReadModel, { strict: false })).toBe(catalogue);
  });
});

describe('an override of what no module provides', () => {
  const database = useDatabase(createMigratedDatabase);

  test('fails the start', async () => {
    const start = startApp(database, {}, { overrides: [{ provide: 'NOTHING', useValue: {} }] });
    await expect(start).rejects.toThrow('NOTHING');
  });
});
