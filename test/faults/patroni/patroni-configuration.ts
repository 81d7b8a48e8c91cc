/** The guarantees of a cluster; the names are those of Patroni's dynamic configuration. */
export interface PatroniSettings {
  /** `strict`: no commit is acknowledged without a synchronous standby. `off`: replication is asynchronous. */
  readonly synchronous: 'strict' | 'off';
  /** How many standbys a commit waits for while they are available. */
  readonly synchronousNodes: number;
  /** `on`: a commit waits until the standbys have flushed it; `remote_apply`: until reads on the standbys show it. */
  readonly synchronousCommit: 'on' | 'remote_apply';
}

/** The ports of one node, and the links through which the node, the other nodes, etcd and the balancer connect. */
export interface NodePlaces {
  readonly name: string;
  readonly folder: string;
  readonly bin: string;
  readonly postgresPort: number;
  readonly restPort: number;
  /** The ports through which the other nodes reach the PostgreSQL and the REST interface of this node. */
  readonly postgresLink: number;
  readonly restLink: number;
  /** The port through which this node reaches etcd. */
  readonly etcdLink: number;
}

/**
 * The time after which a dead primary is replaced, in seconds. A primary that no longer reaches etcd must step down
 * before the other nodes choose a new primary. Therefore `ttl` is at least `loop_wait + 2 * retry_timeout`.
 */
export const TTL_SECONDS = 8;
const LOOP_WAIT_SECONDS = 1;
const RETRY_TIMEOUT_SECONDS = 3;

/** The configuration of one Patroni node in JSON, which is also valid YAML. */
export function nodeConfiguration(node: NodePlaces, settings: PatroniSettings): string {
  const { name, folder, bin, postgresPort, restPort, postgresLink, restLink, etcdLink } = node;
  const isSynchronous = settings.synchronous === 'strict';
  const everybody = ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'];
  return JSON.stringify({
    scope: 'animal-store',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restLink}` },
    // Without `use_proxies`, Patroni connects to the address that etcd reports, which bypasses the link. `etcd` selects
    // version 2 of the API: with version 3, Patroni 3.0 may never see changes again after a pause (SIGSTOP).
    etcd: { hosts: [`127.0.0.1:${etcdLink}`], use_proxies: true },
    bootstrap: {
      dcs: {
        ttl: TTL_SECONDS,
        loop_wait: LOOP_WAIT_SECONDS,
        retry_timeout: RETRY_TIMEOUT_SECONDS,
        // Patroni replaces a crashed primary at once, and does not wait for its restart.
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
      // By default, this checkpoint takes minutes, and the other nodes have no data until the checkpoint ends.
      basebackup: [{ checkpoint: 'fast' }],
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
      pg_hba: everybody,
      // The tests kill processes only, and no data has to survive the machine. So nothing waits for the disk.
      parameters: { unix_socket_directories: '', fsync: 'off' },
    },
  });
}

/** A server behind the balancer: the ports where the balancer reaches the server and its Patroni. */
export interface BalancedServer {
  readonly name: string;
  readonly postgresPort: number;
  readonly restPort: number;
}

/** A balancer to the current primary, configured as in docs/operations.md, but with more frequent checks. */
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
