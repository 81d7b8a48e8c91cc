import { toBoolean, type Parameter, type Row, type Statement, type SqlExecutor } from '../sql/sql-executor.js';
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

/** A standby of the primary, and whether reads may use it. */
export class Replica {
  /** False until a poll finds it close behind the primary. */
  usable = false;
  /** The replay position at the last successful poll. */
  shown: WalPosition | undefined;
  /** The number of consecutive polls at which commits of the primary waited for it. */
  synchronousPolls = 0;
  /** The age of the oldest change that it does not show, in milliseconds; `undefined` before the first poll. */
  lagMs: number | undefined;

  /**
   * @param name the name in logs and metrics, `host:port`; it contains no secret
   * @param close closes its connections
   */
  constructor(
    readonly name: string,
    private readonly executor: SqlExecutor,
    readonly close: () => Promise<void>,
  ) {}

  run(statement: Statement, values: readonly Parameter[]): Promise<readonly Row[]> {
    return this.executor.run(statement, values);
  }

  /** @returns `undefined` if the server is not a standby */
  async readState(): Promise<StandbyState | undefined> {
    const [[position, slot, isReceiving] = []] = await this.run(STANDBY_STATE, []);
    if (typeof position !== 'string') return undefined;
    return {
      replayed: parseWalPosition(position),
      slot: typeof slot === 'string' && slot !== '' ? slot : undefined,
      isReceiving: toBoolean(isReceiving),
    };
  }
}
