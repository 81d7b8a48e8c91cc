import { Injectable } from '@nestjs/common';
import { isDatabaseUnavailable } from '../errors/database-errors.js';
import { SqlExecutor, type Parameter, type Row, type Statement } from '../sql/sql-executor.js';
import { ReplicaWatch } from './replica-watch.js';

/** Sends read-only statements to the replicas in turn, or to the primary if no replica can be used. */
@Injectable()
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
