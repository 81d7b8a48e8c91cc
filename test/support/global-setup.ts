import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
// Jest loads this file without its own module resolution, so the import uses the real file name.
import { startPostgresServer, type PostgresServer } from './postgres-server.ts';

/** The resources that all tests of a run share; the global teardown releases them. */
export interface SharedDatabases {
  readonly server: PostgresServer;
  /** A folder of this run, removed at its end. */
  readonly folder: string;
  readonly embeddedTemplate: string;
}

declare global {
  var sharedDatabases: Promise<SharedDatabases> | undefined;
}

/** Jest calls this once for each project, in one process. The first call starts the shared resources. */
export default async function globalSetup(): Promise<void> {
  globalThis.sharedDatabases ??= start();
  const { server, embeddedTemplate } = await globalThis.sharedDatabases;
  process.env['TEST_SERVER_URL'] = server.url;
  process.env['TEST_EMBEDDED_TEMPLATE'] = embeddedTemplate;
}

async function start(): Promise<SharedDatabases> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
  const embeddedTemplate = join(folder, 'embedded');
  const [server] = await Promise.all([startPostgresServer(), makeEmbeddedDatabase(embeddedTemplate)]);
  return { server, folder, embeddedTemplate };
}

/** Makes the template of embedded databases: making an embedded database takes seconds, copying one takes much less. */
async function makeEmbeddedDatabase(folder: string): Promise<void> {
  mkdirSync(folder);
  const database = await PGlite.create({ dataDir: join(folder, 'postgres') });
  await database.close();
}
