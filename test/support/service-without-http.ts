import type { INestApplicationContext } from '@nestjs/common';
import { createApp, type CreateAppOptions } from '../../apps/api/src/create-app.js';
import { readEnvironment } from '../../apps/api/src/settings.js';
import { useOnDatabase, type CreateDatabase, type TestDatabase, type Used } from './databases.js';

/** The service with the settings of production, without a port: for tests of the parts behind HTTP. */
export interface Service extends Pick<INestApplicationContext, 'get'> {
  close(): Promise<void>;
}

/** Opens the service. The caller closes it. */
export async function openService(
  { environment }: Pick<TestDatabase, 'environment'>,
  options: CreateAppOptions = {},
): Promise<Service> {
  const app = await createApp(readEnvironment({ NODE_ENV: 'test', LOG_LEVEL: 'silent', ...environment }), options);
  return { get: app.get.bind(app), close: () => app.close() };
}

/**
 * The service on a database of its own, for the tests of the surrounding `describe`. The service opens before the first
 * `beforeAll` after this call, and closes after the last test. Until it is open, the returned object is empty.
 */
export function useService<Database extends TestDatabase>(
  create: CreateDatabase<Database>,
  options: CreateAppOptions = {},
): Used<Service, Database> {
  const [service] = useOnDatabase(create, 1, (database) => openService(database, options));
  return service!;
}
