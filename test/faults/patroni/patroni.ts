import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { migrateServer } from '@animal-store/persistence';
import { endProcess } from '../../support/end-process.js';
import { freePort } from '../../support/free-port.js';
import { primaryBalancer, type PatroniSettings } from './patroni-configuration.js';
import { PatroniNode } from './patroni-node.js';
import { unprivilegedUser } from '../../support/postgres-server.js';
import { withClient } from '../../support/database-client.js';

const DEBIAN_POSTGRES = '/usr/lib/postgresql';
const HAPROXY = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].find((path) => existsSync(path));
const START_TIMEOUT_MS = 60_000;
const NAMES = ['north', 'east', 'south'];

/** The programs of the newest PostgreSQL server that Debian installed. Those of npm have no `pg_basebackup`. */
function postgresBinaries(): string | undefined {
  const versions = existsSync(DEBIAN_POSTGRES)
    ? readdirSync(DEBIAN_POSTGRES).toSorted((a, b) => Number(b) - Number(a))
    : [];
  return versions
    .map((version) => join(DEBIAN_POSTGRES, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'pg_rewind')));
}

/** The missing programs for a cluster, and how to install them, in a sentence; `undefined` if none is missing. */
export function missingForPatroni(): string | undefined {
  const missing = [
    ...(spawnSync('patroni', ['--version']).status === 0 ? [] : ['patroni']),
    ...(spawnSync('etcd', ['--version']).status === 0 ? [] : ['etcd-server']),
    ...(HAPROXY === undefined ? ['haproxy'] : []),
    ...(postgresBinaries() === undefined ? ['postgresql'] : []),
  ];
  if (process.platform !== 'linux') return 'Clusters under Patroni are tested on Linux alone';
  if (missing.length === 0) return undefined;
  return (
    `Not installed: ${missing.join(', ')}. So clusters under Patroni are not tested. On Debian: ` +
    'apt-get install --no-install-recommends patroni etcd-server python3-etcd haproxy postgresql'
  );
}

/** Three PostgreSQL servers under Patroni and etcd, and an haproxy that forwards to the primary. */
export class PatroniCluster {
  private constructor(
    private readonly folder: string,
    private readonly settings: PatroniSettings,
    private readonly processes: readonly ChildProcess[],
    readonly nodes: readonly PatroniNode[],
    private readonly primaryPort: number,
  ) {}

  /** Resolves when the servers replicate as the settings require, and the database is migrated. */
  static async start(settings: PatroniSettings): Promise<PatroniCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
    chmodSync(folder, 0o755);
    const etcdPort = await freePort();
    const etcd = spawnEtcd(folder, etcdPort, await freePort());
    await untilEtcdAnswers(etcdPort);
    const nodes: PatroniNode[] = [];
    for (const name of NAMES) {
      nodes.push(await PatroniNode.create(name, folder, postgresBinaries()!, `http://127.0.0.1:${etcdPort}`, settings));
    }
    const primaryPort = await freePort();
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(
      file,
      primaryBalancer(
        primaryPort,
        nodes.map(({ balanced }) => balanced),
      ),
    );
    const haproxy = spawn(HAPROXY!, ['-db', '-f', file], { stdio: 'ignore' });
    const cluster = new PatroniCluster(folder, settings, [etcd, haproxy], nodes, primaryPort);
    try {
      for (const node of nodes) node.start();
      const leader = await cluster.untilPrimary();
      await withClient(cluster.directUrl(leader, 'postgres', 'postgres'), async (client) => {
        await client.query('create role animal_store login');
        await client.query('create database animal_store owner animal_store');
      });
      await cluster.untilSettled();
      await migrateServer(cluster.directUrl(leader));
      return cluster;
    } catch (error) {
      await cluster.remove();
      throw error;
    }
  }

  /** The address of the primary through haproxy, for the role of the service. */
  get url(): string {
    return `postgresql://animal_store@127.0.0.1:${this.primaryPort}/animal_store`;
  }

  /** The addresses of all servers, whatever roles the servers have. */
  get nodeUrls(): string[] {
    return this.nodes.map(
      ({ balanced }) => `postgresql://animal_store@127.0.0.1:${balanced.postgresPort}/animal_store`,
    );
  }

  /** The address of a server without haproxy and without any link, for the test only. */
  directUrl(node: PatroniNode, user = 'animal_store', database = 'animal_store'): string {
    return `postgresql://${user}@127.0.0.1:${node.directPort}/${database}`;
  }

  /** Resolves with the primary as soon as its Patroni reports that its server is the primary. */
  async untilPrimary(besides?: PatroniNode): Promise<PatroniNode> {
    return await this.until('there is no primary', async () => {
      for (const node of this.nodes) if (node !== besides && (await node.isPrimary())) return node;
      return undefined;
    });
  }

  /** Resolves with the primary when both other servers follow it as synchronously as the settings require. */
  async untilSettled(): Promise<PatroniNode> {
    const { synchronous, synchronousNodes } = this.settings;
    const wanted = synchronous === 'off' ? 0 : synchronousNodes;
    return await this.until('the servers do not replicate', async () => {
      const statuses = await Promise.all(this.nodes.map((node) => node.status()));
      const primaries = await Promise.all(this.nodes.map((node) => node.isPrimary()));
      const leader = this.nodes[primaries.indexOf(true)];
      if (leader === undefined || primaries.filter(Boolean).length !== 1) return undefined;
      if (new Set(statuses.map((status) => status?.timeline)).size !== 1) return undefined;
      if (statuses.filter((status) => status?.sync_standby === true).length !== wanted) return undefined;
      const { rows } = await withClient(this.directUrl(leader, 'postgres'), (client) =>
        client.query<{ streaming: number; synchronous: number }>(
          `select count(*)::int as streaming, (count(*) filter (where sync_state = 'sync'))::int as synchronous
           from pg_stat_replication where state = 'streaming'`,
        ),
      );
      const [seen] = rows;
      return seen?.streaming === this.nodes.length - 1 && seen.synchronous === wanted ? leader : undefined;
    });
  }

  async remove(): Promise<void> {
    for (const node of this.nodes) await node.remove();
    for (const child of this.processes) await endProcess(child, 'SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private async until<Result>(what: string, look: () => Promise<Result | undefined>): Promise<Result> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    for (;;) {
      const result = await look().catch(() => undefined);
      if (result !== undefined) return result;
      if (performance.now() > deadline) {
        throw new Error(
          [`After ${START_TIMEOUT_MS} ms ${what}.`, ...this.nodes.map(({ lastLines }) => lastLines)].join('\n'),
        );
      }
      await delay(50);
    }
  }
}

function spawnEtcd(parent: string, port: number, peerPort: number): ChildProcess {
  const folder = join(parent, 'etcd');
  mkdirSync(folder, { mode: 0o700 });
  const owner = unprivilegedUser();
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const [url, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  return spawn(
    'etcd',
    [
      ...['--data-dir', folder, '--listen-client-urls', url, '--advertise-client-urls', url],
      ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
      ...['--initial-cluster', `default=${peerUrl}`, '--enable-v2'],
    ],
    { ...owner, stdio: 'ignore' },
  );
}

async function untilEtcdAnswers(port: number): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const isHealthy = await fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isHealthy) return;
    if (performance.now() > deadline) throw new Error('etcd did not start');
    await delay(50);
  }
}
