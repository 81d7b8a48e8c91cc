import { rmSync } from 'node:fs';
import pg from 'pg';
import type {} from './global-setup.ts';

export default async function globalTeardown(): Promise<void> {
  const shared = await globalThis.sharedDatabases;
  globalThis.sharedDatabases = undefined;
  if (shared === undefined) return;
  rmSync(shared.folder, { recursive: true, force: true });
  // A server that was given outlives the run.
  const client = new pg.Client({ connectionString: shared.server.url });
  await client.connect();
  await client.query(`drop database if exists "${shared.migratedTemplate}"`);
  await client.end();
  await shared.server.stop();
}
