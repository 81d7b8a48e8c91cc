import { toBoolean, type Parameter, type Row, type Statement, type SqlExecutor } from '../sql/sql-executor.js';
import { parseWalPosition, type WalPosition } from './wal-position.js';

/** How far a standby has come, and from where. No position where the server is none: a promoted one follows nobody. */
const STANDING: Statement = {
  name: 'standing',
  text: `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end::text,
    current_setting('primary_slot_name', true), exists (select from pg_stat_wal_receiver)`,
};

/** What a standby says of itself. */
export interface Standing {
  /** What of the primary's changes can be read here. */
  readonly replayed: WalPosition;
  /** The replication slot that it receives them from; `undefined` where it needs none, or does not tell. */
  readonly slot: string | undefined;
  /** Whether it is connected to a primary at the moment. */
  readonly isReceiving: boolean;
}

/** A server that follows the primary, and whether it may be read from. */
export class Replica {
  /** Not before it has been seen close behind the primary. */
  usable = false;
  /** How far it had come when it told so last. */
  shown: WalPosition | undefined;
  /** At how many looks in a row the primary's commits have waited for it. */
  waitedForLooks = 0;
  /** How old the oldest change of the primary is that it does not show, in milliseconds; unknown until it was asked once. */
  lagMs: number | undefined;

  /**
   * @param name for the log and the metrics, as `host:port`: it tells nothing secret
   * @param close ends its connections
   */
  constructor(
    readonly name: string,
    private readonly executor: SqlExecutor,
    readonly close: () => Promise<void>,
  ) {}

  run(statement: Statement, values: readonly Parameter[]): Promise<readonly Row[]> {
    return this.executor.run(statement, values);
  }

  /** `undefined` where the server is no standby. */
  async standing(): Promise<Standing | undefined> {
    const [[position, slot, isReceiving] = []] = await this.run(STANDING, []);
    if (typeof position !== 'string') return undefined;
    return {
      replayed: parseWalPosition(position),
      slot: typeof slot === 'string' && slot !== '' ? slot : undefined,
      isReceiving: toBoolean(isReceiving),
    };
  }
}
