/** What a cluster is asked to promise; the names are those of Patroni's dynamic configuration. */
export interface PatroniSettings {
  /** `strict`: no commit is acknowledged without a synchronous standby. `off`: replication is asynchronous. */
  readonly synchronous: 'strict' | 'off';
  /** How many standbys a commit waits for while they are there. */
  readonly synchronousNodes: number;
  /** `on`: until they have written it to their disks; `remote_apply`: until they show it. */
  readonly synchronousCommit: 'on' | 'remote_apply';
}

/** Where one node listens, and where the others, etcd and the balancer have it from. */
export interface NodePlaces {
  readonly name: string;
  readonly folder: string;
  readonly bin: string;
  readonly postgresPort: number;
  readonly restPort: number;
  /** Behind which its own postgres and REST are for the other nodes. */
  readonly postgresLink: number;
  readonly restLink: number;
  /** Behind which etcd is for it. */
  readonly etcdLink: number;
}

/**
 * How soon a dead primary is replaced, in seconds. A primary that no longer reaches etcd must have stepped down before the
 * others choose another one, so `ttl` is at least `loop_wait + 2 * retry_timeout`.
 */
export const TTL_SECONDS = 8;
const LOOP_WAIT_SECONDS = 1;
const RETRY_TIMEOUT_SECONDS = 3;

/** The configuration of one node of Patroni, in JSON, which is YAML as well. */
export function nodeConfiguration(node: NodePlaces, settings: PatroniSettings): string {
  const { name, folder, bin, postgresPort, restPort, postgresLink, restLink, etcdLink } = node;
  const isSynchronous = settings.synchronous === 'strict';
  const everybody = ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'];
  return JSON.stringify({
    scope: 'animal-store',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restLink}` },
    // Without `use_proxies` Patroni asks etcd for its address, and goes past the link. The second version of the interface:
    // with the third, Patroni 3.0 may never see changes again after it was stopped for a while (SIGSTOP).
    etcd: { hosts: [`127.0.0.1:${etcdLink}`], use_proxies: true },
    bootstrap: {
      dcs: {
        ttl: TTL_SECONDS,
        loop_wait: LOOP_WAIT_SECONDS,
        retry_timeout: RETRY_TIMEOUT_SECONDS,
        // A primary that crashed is replaced, not waited for.
        master_start_timeout: 0,
        primary_start_timeout: 0,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: isSynchronous,
        synchronous_mode_strict: isSynchronous,
        synchronous_node_count: settings.synchronousNodes,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            synchronous_commit: settings.synchronousCommit,
            max_connections: 200,
            wal_log_hints: 'on',
            wal_sender_timeout: '6s',
            wal_receiver_timeout: '3s',
            wal_retrieve_retry_interval: '500ms',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }, 'no-sync'],
    },
    postgresql: {
      listen: `127.0.0.1:${postgresPort}`,
      connect_address: `127.0.0.1:${postgresLink}`,
      data_dir: `${folder}/data`,
      bin_dir: bin,
      pgpass: `${folder}/pgpass`,
      // Spread over minutes otherwise, and the other nodes have no data until it is over.
      basebackup: [{ checkpoint: 'fast' }],
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
      pg_hba: everybody,
      // All is lost with the machine, so nothing waits for the disk; what is killed here is processes.
      parameters: { unix_socket_directories: '', fsync: 'off' },
    },
  });
}

/** A server that the balancer knows: where it and its Patroni are reached from there. */
export interface BalancedServer {
  readonly name: string;
  readonly postgresPort: number;
  readonly restPort: number;
}

/** A way to whichever server is the primary, as docs/operations.md has it, with checks that are more frequent. */
export function primaryBalancer(port: number, servers: readonly BalancedServer[]): string {
  return `
global
  maxconn 1000
defaults
  mode tcp
  timeout connect 1s
  timeout check 1s
  timeout client 30m
  timeout server 30m
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.map(({ name, postgresPort, restPort }) => `  server ${name} 127.0.0.1:${postgresPort} check port ${restPort}`).join('\n')}
`;
}
