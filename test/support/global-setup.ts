import { randomBytes } from 'node:crypto';
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
  /** The name of the migrated database that tests copy, once one of them has made it. */
  readonly migratedTemplate: string;
}

declare global {
  var sharedDatabases: Promise<SharedDatabases> | undefined;
}

/** Jest calls this once for each project, in one process. The first call starts the shared resources. */
export default async function globalSetup(): Promise<void> {
  globalThis.sharedDatabases ??= start();
  const { server, embeddedTemplate, migratedTemplate } = await globalThis.sharedDatabases;
  process.env['TEST_SERVER_URL'] = server.url;
  process.env['TEST_EMBEDDED_TEMPLATE'] = embeddedTemplate;
  process.env['TEST_MIGRATED_TEMPLATE'] = migratedTemplate;
}

async function start(): Promise<SharedDatabases> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
  const embeddedTemplate = join(folder, 'embedded');
  const [server] = await Promise.all([startPostgresServer(), makeEmbeddedDatabase(embeddedTemplate)]);
  const migratedTemplate = `test_template_${randomBytes(8).toString('hex')}`;
  return { server, folder, embeddedTemplate, migratedTemplate };
}

/** Makes the template of embedded databases: making an embedded database takes seconds, copying one takes much less. */
async function makeEmbeddedDatabase(folder: string): Promise<void> {
  mkdirSync(folder);
  const database = await PGlite.create({ dataDir: join(folder, 'postgres') });
  await database.close();
}
