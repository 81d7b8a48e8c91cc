/** Creates the benchmark's own databases and runs the product's migrations on them. */
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import pg from 'pg';
import { productEnvironment, REPOSITORY } from './servers.mjs';

/** Creates an empty database and connects to it. */
export async function createDatabase(postgres, name) {
  const maintenance = new pg.Client({ connectionString: postgres.urlOf('postgres') });
  await maintenance.connect();
  await maintenance.query(`create database ${name}`);
  await maintenance.end();

  const url = postgres.urlOf(name);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return { url, client };
}

/** @param program the product's program that runs its migrations */
export function migrate(program, url) {
  execFileSync(process.execPath, [program], {
    cwd: REPOSITORY,
    env: productEnvironment({ databaseUrl: url, port: 3000 }),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
