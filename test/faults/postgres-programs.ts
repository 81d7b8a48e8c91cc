import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';

/** The programs that a restore needs beside a server. The npm packages hold only a server. */
const NEEDED = ['pg_dump', 'psql'];

/**
 * A folder with all programs of one version of PostgreSQL: TEST_POSTGRES_BIN, else the newest version of Debian, else
 * the folder that `pg_config` reports. If there is none, prints one line and returns `undefined`.
 */
export function postgresPrograms(): string | undefined {
  const found = folders().find((folder) => NEEDED.every((program) => existsSync(join(folder, program))));
  if (found === undefined)
    console.warn(
      'Skipped: the programs pg_dump and psql of a PostgreSQL server are not installed. ' +
        'On Debian: apt-get install postgresql; elsewhere TEST_POSTGRES_BIN names their folder',
    );
  return found;
}

function folders(): string[] {
  const given = process.env['TEST_POSTGRES_BIN'];
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((one, other) => Number(other) - Number(one)) : [];
  const { stdout } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  return [
    ...(given === undefined ? [] : [given]),
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(typeof stdout === 'string' ? [stdout.trim()] : []),
  ];
}
