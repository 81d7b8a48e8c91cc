import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcess } from '../support/end-process.js';
import { freePort } from '../support/free-port.js';
import { unprivilegedUser } from '../support/postgres-server.js';
import { withClient } from '../support/database-client.js';

export const HAS_PGBOUNCER = spawnSync('pgbouncer', ['--version']).status === 0;

/** A PgBouncer that pools connections per transaction. */
export interface PgBouncer {
  /** The address of the same database through PgBouncer. */
  readonly url: string;
  stop(): Promise<void>;
}

/** The number of connections to the server: so few that the clients of PgBouncer must share them. */
const POOL_SIZE = 3;

/**
 * Starts a PgBouncer with the minimum of settings, so that a success with it also holds for other poolers.
 *
 * @param settings further lines of its configuration
 */
export async function startPgBouncer(databaseUrl: string, settings = ''): Promise<PgBouncer> {
  const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
  const port = await freePort();
  writeFileSync(join(folder, 'users'), `"${username}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = transaction
default_pool_size = ${POOL_SIZE}
${settings}
`,
  );
  const owner = unprivilegedUser();
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const child = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], { ...owner, stdio: 'ignore' });
  const url = new URL(`postgresql://${username}@127.0.0.1:${port}${pathname}`).toString();
  for (let attempt = 1; ; attempt += 1) {
    try {
      await withClient(url, (client) => client.query('select 1'));
      break;
    } catch (error) {
      if (attempt === 100 || child.exitCode !== null) throw new Error('PgBouncer did not start', { cause: error });
      await delay(50);
    }
  }
  return {
    url,
    stop: async () => {
      await endProcess(child, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
