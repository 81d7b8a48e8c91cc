import type { Parameter, Row, Statement, Statements } from '../statements.js';
import { parseWalPosition, type WalPosition } from './wal-position.js';

/** How far a standby has come. No row value where the server is none: a promoted one follows nobody. */
const REPLAYED: Statement = {
  name: 'wal_replayed',
  text: 'select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end::text',
};

/** A server that follows the primary, and whether it may be read from. */
export class Replica {
  /** Not before it has been seen close behind the primary. */
  usable = false;
  /** How far it had come when it told so last. */
  shown: WalPosition | undefined;
  /** How old the oldest change of the primary is that it does not show, in milliseconds; unknown until it was asked once. */
  lagMs: number | undefined;

  /**
   * @param name for the log and the metrics, as `host:port`: it tells nothing secret
   * @param close ends its connections
   */
  constructor(
    readonly name: string,
    private readonly statements: Statements,
    readonly close: () => Promise<void>,
  ) {}

  run(statement: Statement, values: readonly Parameter[]): Promise<readonly Row[]> {
    return this.statements.run(statement, values);
  }

  /** What of the primary's changes can be read here; `undefined` where the server is no standby. */
  async replayed(): Promise<WalPosition | undefined> {
    const [row] = await this.run(REPLAYED, []);
    return typeof row?.[0] === 'string' ? parseWalPosition(row[0]) : undefined;
  }
}
