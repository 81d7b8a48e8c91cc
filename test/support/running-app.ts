import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp, type CreateAppOptions } from '../../apps/api/src/create-app.js';
import { readEnvironment } from '../../apps/api/src/settings.js';
import { useOnDatabase, type CreateDatabase, type TestDatabase, type Used } from './databases.js';
import { TEST_API_KEY } from './test-api-key.js';

export { TEST_API_KEY };

/** A client of a service. */
export interface Client {
  /** Sends a request with the test key, unless `key` or `headers` give another key; the key `null` sends none. */
  request(path: string, init?: RequestOptions): Promise<Response>;
  /** Creates a pet and returns the response of the service. */
  createPet(pet: Record<string, unknown>): Promise<Response>;
}

/** The service with the settings of production, on its own port, in this process. */
export interface RunningApp extends Client {
  readonly app: NestExpressApplication;
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

export interface RequestOptions extends Omit<RequestInit, 'headers'> {
  readonly headers?: Record<string, string>;
  /** `null`: the request has no `Authorization` header. */
  readonly key?: string | null;
}

/** A client of the service at this address. */
export function clientOf(url: string): Client {
  const request: Client['request'] = (path, { headers = {}, key = TEST_API_KEY, ...init } = {}) =>
    fetch(`${url}${path}`, {
      ...init,
      headers: { ...(key !== null && { authorization: `Bearer ${key}` }), ...headers },
    });
  return {
    request,
    createPet: (pet) =>
      request('/v1/pets', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(pet),
      }),
  };
}

/** What runs. No instance outlives the tests of its file, also where a test failed before it closed what it started. */
const running = new Set<RunningApp>();
afterAll(async () => {
  for (const app of running) await app.close();
});

export async function startApp(
  database: TestDatabase,
  variables: Record<string, string> = {},
  options: CreateAppOptions = {},
): Promise<RunningApp> {
  const environment = readEnvironment({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    BOOTSTRAP_API_KEY: TEST_API_KEY,
    ...database.environment,
    ...variables,
  });
  const app = await createApp(environment, options);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  let closing: Promise<void> | undefined;
  const close = async () => {
    running.delete(started);
    // The clients of the tests keep their connections open, and the server would wait for them.
    app.getHttpServer().closeAllConnections();
    await app.close();
  };
  const started: RunningApp = {
    app,
    url,
    port,
    ...clientOf(url),
    // A second call closes nothing again.
    close: () => (closing ??= close()),
  };
  running.add(started);
  return started;
}

/**
 * The service on a database of its own, for the tests of the surrounding `describe`. The service listens before the
 * first `beforeAll` after this call, and stops after the last test. Until it listens, the returned object is empty.
 */
export function useApp<Database extends TestDatabase>(
  create: CreateDatabase<Database>,
  variables: Record<string, string> = {},
  options: CreateAppOptions = {},
): Used<RunningApp, Database> {
  const [app] = useOnDatabase(create, 1, (database) => startApp(database, variables, options));
  return app!;
}

/** Like {@link useApp}, with two instances on one database. */
export function useTwoApps<Database extends TestDatabase>(
  create: CreateDatabase<Database>,
  variables: Record<string, string> = {},
  options: CreateAppOptions = {},
): readonly [Used<RunningApp, Database>, Used<RunningApp, Database>] {
  const [first, second] = useOnDatabase(create, 2, (database) => startApp(database, variables, options));
  return [first!, second!];
}
