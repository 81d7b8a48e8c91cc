import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { ApiKey, ApiKeyAdministration, ApiKeys, generateApiKey, hashApiKey } from '@animal-store/auth';
import { UnitOfWork } from '@animal-store/kernel';
import { NewPet, PetReadModel, PetRepository } from '@animal-store/pets-domain';
import { createMigratedDatabase, createServerDatabase, type ServerDatabase, type Used } from '../support/databases.js';
import { useService, type Service } from '../support/service-without-http.js';
import { withClient } from '../support/database-client.js';

type Operation = (service: Service) => Promise<unknown>;

/** All operations of the service on its database. */
const OPERATIONS: [string, Operation][] = [
  ['adding a pet', (service) => service.get(PetRepository).add(new NewPet('Rex', 7n))],
  ['loading a pet', (service) => service.get(UnitOfWork).run(() => service.get(PetRepository).findForUpdate(1n))],
  ['reading a pet', (service) => service.get(PetReadModel).findById(1n)],
  ['reading a page', (service) => service.get(PetReadModel).findPage({ limit: 20, status: 'sold' })],
  ['finding an API key', (service) => service.get(ApiKeys).findByHash(newHash())],
  ['telling that API keys were used', (service) => service.get(ApiKeys).markUsed(new Map([[1n, new Date()]]))],
  ['creating an API key', (service) => service.get(ApiKeyAdministration).create(new ApiKey('shop', newHash()), 'me')],
  ['listing the API keys', (service) => service.get(ApiKeyAdministration).list()],
];

function newHash(): string {
  return hashApiKey(generateApiKey('astest'));
}

describe('without a server', () => {
  const service = useService(() => ({
    environment: { DATABASE_URL: 'postgresql://postgres@127.0.0.1:1/test' },
    remove: () => Promise.resolve(),
  }));

  test.each(OPERATIONS)(
    '%s fails as unavailable, in words that do not tell where the server is',
    async (_what, operation) => {
      const error: unknown = await operation(service).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ kind: 'unavailable', code: 'service_unavailable' });
      expect(String(error)).not.toMatch(/127\.0\.0\.1|ECONNREFUSED|postgres/);
    },
  );
});

describe('before the first migration', () => {
  const service = useService(createServerDatabase);

  test.each(OPERATIONS.slice(0, 4))('%s fails as unavailable', async (_what, operation) => {
    await expect(operation(service)).rejects.toMatchObject({ kind: 'unavailable', code: 'service_unavailable' });
  });
});

/** Starts the operation. The server then ends the connection of the operation while it waits for a locked table. */
async function cut(service: Used<Service, ServerDatabase>, operation: Operation): Promise<unknown> {
  return await withClient(service.database.url, async (client) => {
    await client.query('begin');
    await client.query('lock table pets, api_keys in access exclusive mode');
    const outcome = operation(service).then(
      () => 'It succeeded',
      (error: unknown) => error,
    );
    // By another connection: inside a transaction, PostgreSQL shows the activity of the server as it was at the beginning.
    await withClient(service.database.url, cutWhoWaits);
    await client.query('rollback');
    return await outcome;
  });
}

async function cutWhoWaits(client: pg.Client): Promise<void> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rowCount !== null && rowCount > 0) return;
    await delay(5);
  }
  throw new Error('The operation did not wait for its table');
}

describe('when the connection is cut in the middle of a statement', () => {
  const service = useService(createMigratedDatabase);

  test.each(OPERATIONS)('%s fails as unavailable, and works again the next time', async (_what, operation) => {
    expect(await cut(service, operation)).toMatchObject({ kind: 'unavailable', code: 'service_unavailable' });
    await expect(operation(service)).resolves.not.toThrow();
  });
});
