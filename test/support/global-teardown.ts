import pg from 'pg';
import type {} from './global-setup.ts';

export default async function globalTeardown(): Promise<void> {
  const shared = await globalThis.sharedDatabases;
  globalThis.sharedDatabases = undefined;
  if (shared === undefined) return;
  // A server that was given outlives the run.
  const client = new pg.Client({ connectionString: shared.server.url });
  await client.connect();
  await client.query(`drop database if exists "${shared.migratedTemplate}"`);
  await client.end();
  await shared.server.stop();
}
