import { randomBytes } from 'node:crypto';
// Jest loads this file without its own module resolution, so the import uses the real file name.
import { startPostgresServer, type PostgresServer } from './postgres-server.ts';

/** The resources that all tests of a run share; the global teardown releases them. */
interface SharedDatabases {
  readonly server: PostgresServer;
  /** The name of the migrated database that tests copy, once one of them has made it. */
  readonly migratedTemplate: string;
}

declare global {
  var sharedDatabases: Promise<SharedDatabases> | undefined;
}

/** Jest calls this once for each project, in one process. The first call starts the shared resources. */
export default async function globalSetup(): Promise<void> {
  globalThis.sharedDatabases ??= start();
  const { server, migratedTemplate } = await globalThis.sharedDatabases;
  process.env['TEST_SERVER_URL'] = server.url;
  process.env['TEST_MIGRATED_TEMPLATE'] = migratedTemplate;
}

async function start(): Promise<SharedDatabases> {
  return { server: await startPostgresServer(), migratedTemplate: `test_template_${randomBytes(8).toString('hex')}` };
}
