import type { Parameter, Row, SqlExecutor, Statement } from '../sql/sql-executor.js';
import type { WalPosition } from './standby-state.js';

/** A standby of the primary, and whether reads may use it. */
export class Replica {
  /** Whether reads use it. False until a poll finds it close behind the primary. */
  serving = false;
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
}
