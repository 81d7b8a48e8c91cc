import type { INestApplicationContext } from '@nestjs/common';
import { createApp } from '../../apps/api/src/create-app.js';
import { readEnvironment } from '../../apps/api/src/environment.js';
import { useOnDatabase, type CreateDatabase, type TestDatabase, type Used } from './databases.js';
import { createAppOptions, type StartOptions } from './overridden-providers.js';
import { SWITCHED_ACCELERATORS } from './switched-accelerators.js';

/** The service as it runs in production, without a port: for tests of what lies behind HTTP. */
export interface Service extends Pick<INestApplicationContext, 'get'> {
  close(): Promise<void>;
}

/** The caller closes it. */
export async function openService(
  { environment }: Pick<TestDatabase, 'environment'>,
  options: StartOptions = {},
): Promise<Service> {
  const app = await createApp(
    readEnvironment({ NODE_ENV: 'test', LOG_LEVEL: 'silent', ...SWITCHED_ACCELERATORS, ...environment }),
    createAppOptions(options),
  );
  return { get: app.get.bind(app), close: () => app.close() };
}

/**
 * The service on a database of its own, for the tests of the surrounding `describe`: open before the first `beforeAll`
 * after this call, closed after the last test. Until then the object is empty.
 */
export function useService<Database extends TestDatabase>(
  create: CreateDatabase<Database>,
  options: StartOptions = {},
): Used<Service, Database> {
  const [service] = useOnDatabase(create, 1, (database) => openService(database, options));
  return service!;
}

/** As {@link useService}: two instances on one database. */
export function useTwoServices<Database extends TestDatabase>(
  create: CreateDatabase<Database>,
  options: StartOptions = {},
): readonly [Used<Service, Database>, Used<Service, Database>] {
  const [first, second] = useOnDatabase(create, 2, (database) => openService(database, options));
  return [first!, second!];
}
