import pg from 'pg';
import { isConnectionLost } from '../errors/database-errors.js';
import { UnknownOutcomeError } from '../errors/translate-database-error.js';

/** Returns a connection to the pool. With an error the pool closes it. */
type Release = (error?: Error | boolean) => void;

/**
 * A connection of a `pg` pool (option `Client`) that returns itself to the pool when it ends. If a rollback fails, as on a lost
 * connection, `ControlledTransaction.rollback` of Kysely 0.29 does not return it, and the pool would have one less for ever.
 * (test/integration/lost-connections.int-spec.ts fails when Kysely has mended it: then `release` goes.)
 */
export class PooledClient extends pg.Client {
  /** Counts errors in transactions and in queries of entity managers. */
  countError: ((error: unknown) => void) | undefined;
  private releaseOnce: Release = () => undefined;
  private isEnding = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.once('end', () => {
      this.releaseOnce(true);
    });
  }

  /** Set by the pool each time it hands the connection out. Works once, as the connection may end before or after its use. */
  get release(): Release {
    return this.releaseOnce;
  }

  set release(release: Release) {
    let isReleased = false;
    this.releaseOnce = (error) => {
      if (isReleased) return;
      isReleased = true;
      release(error);
    };
  }

  /** Observes only promises: code that passes a callback, as the pool does, handles errors itself. */
  override query(...query: unknown[]): never {
    const outcome: unknown = super.query(...(query as [string]));
    return (
      outcome instanceof Promise ? this.observeOutcome(query[0], outcome as Promise<pg.QueryResult>) : outcome
    ) as never;
  }

  private async observeOutcome(text: unknown, outcome: Promise<pg.QueryResult>): Promise<pg.QueryResult> {
    try {
      const result = await outcome;
      // PostgreSQL answers `ROLLBACK` to a commit if a statement of the transaction has failed, even if its error was caught.
      if (text === 'commit' && result.command === 'ROLLBACK') {
        const error = new Error('Nothing was committed, because a statement of the transaction had failed');
        throw Object.assign(error, { code: '25P02', severity: 'ERROR' });
      }
      return result;
    } catch (error) {
      // The cause of a failed rollback was counted before.
      if (text !== 'rollback') this.countError?.(error);
      this.endAfter(error);
      throw text === 'commit' && isConnectionLost(error) ? new UnknownOutcomeError(error) : error;
    }
  }

  /**
   * Ends the connection, so that the pool does not keep it, unless the error concerns only the statement (PostgreSQL, "Error
   * and Notice Message Fields", S): a statement may still run on it, or the server has ended it.
   */
  private endAfter(error: unknown): void {
    const severity = (error as { readonly severity?: unknown } | null)?.severity;
    const isOfStatement = typeof severity === 'string' && severity !== 'FATAL' && severity !== 'PANIC';
    // Once: each call adds a listener, and every statement that waits on a lost connection fails.
    if (isOfStatement || this.isEnding) return;
    this.isEnding = true;
    void this.end();
  }
}
