import { toBoolean, type Statement, type SqlExecutor } from '../sql/sql-executor.js';
import { parseWalPosition, type WalPosition } from './wal-position.js';

/** The replay position of a standby and its replication slot. No position if the server is not a standby, as after a promotion. */
const STANDBY_STATE: Statement = {
  name: 'standing',
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
