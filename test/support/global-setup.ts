import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
// Jest loads this file without its own resolution, so the import names the file as it is.
import { startPostgresServer, type PostgresServer } from './postgres-server.ts';

/** What a run of the tests shares; the teardown ends it. */
export interface SharedDatabases {
  readonly server: PostgresServer;
  /** A folder of this run's own, removed at its end. */
  readonly folder: string;
  readonly embeddedTemplate: string;
}

declare global {
  var sharedDatabases: Promise<SharedDatabases> | undefined;
}

/** Once for each project of Jest, in one process: the first starts what all share. */
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

/** An empty embedded database takes seconds to make, and a moment to copy. */
async function makeEmbeddedDatabase(folder: string): Promise<void> {
  mkdirSync(folder);
  const database = await PGlite.create({ dataDir: join(folder, 'postgres') });
  await database.close();
}
