import { toBoolean, type Statement, type SqlExecutor } from '../sql/sql-executor.js';

/** The replay position of a standby and its replication slot. No position if the server is not a standby, as after a promotion. */
const STANDBY_STATE: Statement = {
  name: 'standby_state',
  text: `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end::text,
    current_setting('primary_slot_name', true), exists (select from pg_stat_wal_receiver)`,
};

/** The state of a standby, as it reports it. */
export interface StandbyState {
  /** The position up to which changes of the primary can be read here. */
  readonly replayed: WalPosition;
  /** The replication slot from which it receives changes; `undefined` if it has none or does not report it. */
  readonly slot: string | undefined;
  /** Whether it is connected to a primary. */
  readonly isReceiving: boolean;
}

/** @returns `undefined` if the server is not a standby */
export async function readStandbyState(server: Pick<SqlExecutor, 'run'>): Promise<StandbyState | undefined> {
  const [[position, slot, isReceiving] = []] = await server.run(STANDBY_STATE, []);
  if (typeof position !== 'string') return undefined;
  return {
    replayed: parseWalPosition(position),
    slot: typeof slot === 'string' && slot !== '' ? slot : undefined,
    isReceiving: toBoolean(isReceiving),
  };
}

/** A position in the write-ahead log of a primary, in bytes. Later changes have larger positions. */
export type WalPosition = bigint;

/** Parses a position such as `16/B374D848`: the upper and the lower 32 bits in hexadecimal digits. */
export function parseWalPosition(text: string): WalPosition {
  const [upper = '', lower = ''] = text.split('/');
  return (BigInt(`0x${upper}`) << 32n) | BigInt(`0x${lower}`);
}

/** PostgreSQL, "synchronous_standby_names": `FIRST 2 (a, b)`, `ANY 2 (a, b)`, `2 (a, b)`, or `a, b`, which is `FIRST 1 (a, b)`. */
const COUNTED = /^\s*(?:(?:first|any)\s+)?(?<count>\d+)\s*\((?<names>.*)\)\s*$/is;

/** The prefixes that cluster managers put before the name of a standby to name its slot: none (Patroni), or that of CloudNativePG. */
const SLOT_PREFIXES = ['', '_cnpg_'];

/** The standbys for which commits wait: they show a commit before the primary acknowledges it. */
export class SynchronousStandbys {
  private constructor(
    private readonly count: number,
    private readonly names: readonly string[],
  ) {}

  /**
   * @param commit `synchronous_commit` of the primary
   * @param names its `synchronous_standby_names`
   * @returns `undefined` if commits do not wait until a standby shows them
   */
  static of(commit: unknown, names: unknown): SynchronousStandbys | undefined {
    if (commit !== 'remote_apply' || typeof names !== 'string' || names.trim() === '') return undefined;
    const counted = COUNTED.exec(names)?.groups;
    const listed = (counted?.['names'] ?? names).split(',').map((name) => name.trim().replace(/^"|"$/g, ''));
    return new SynchronousStandbys(Number(counted?.['count'] ?? 1), listed);
  }

  /**
   * Whether every commit waits for this standby.
   *
   * @param slot the name of its replication slot, because only a superuser can read the name of the standby
   * @param replicas the number of replicas; with the name `*`, commits must wait for as many
   */
  waitFor(slot: string, replicas: number): boolean {
    if (this.names.includes('*')) return this.count >= replicas;
    // If commits wait for only some of the standbys, it is unknown for which.
    if (this.count < this.names.length) return false;
    return this.names.some((name) => SLOT_PREFIXES.some((prefix) => slot === prefix + asSlot(name)));
  }
}

/** Slots have only lower-case letters, digits and underscores. */
function asSlot(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9_]/g, '_');
}
