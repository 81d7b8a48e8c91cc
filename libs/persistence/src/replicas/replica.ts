import { isDatabaseUnavailable } from '../errors/database-errors.js';
import { type Parameter, type Row, type Statement, SqlExecutor } from '../sql/sql-executor.js';
import type { ReplicaWatch } from './replica-watch.js';
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

/** Sends read-only statements to the replicas in turn, or to the primary if no replica can be used. */
export class ReplicaSqlExecutor extends SqlExecutor {
  private turn = 0;

  constructor(
    private readonly primary: SqlExecutor,
    private readonly watch: ReplicaWatch,
  ) {
    super();
  }

  override async run(statement: Statement, values: readonly Parameter[]): Promise<readonly Row[]> {
    const { inUse } = this.watch;
    this.turn = (this.turn + 1) % Math.max(inUse.length, 1);
    for (const replica of [...inUse.slice(this.turn), ...inUse.slice(0, this.turn)]) {
      try {
        return await replica.run(statement, values);
      } catch (error) {
        // The next server is tried after any error: a standby may cancel reads, and it gets migrations late.
        if (isDatabaseUnavailable(error)) this.watch.fail(replica, error);
      }
    }
    return await this.primary.run(statement, values);
  }
}
