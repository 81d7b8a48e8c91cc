import pg from 'pg';
import type { DatabaseErrorCounts } from './database-error-counts.js';
import { ExtendedQuery } from './extended-query.js';
import { isConnectionLost, UnknownOutcomeError } from './database-errors.js';
import type { Row } from './sql-executor.js';
import { StatementValues } from './transactions/statement-values.js';

/** How the pool takes a connection back, for good where it is told of an error. */
type GiveBack = (error?: Error | boolean) => void;

/** What a command gives that needed not be sent. */
const NOTHING = { rows: [], rowCount: 0 };

/** What a server says of itself at the start of a session, and when it changes. */
interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/**
 * For the option `Client` of a pool of `pg`: a connection for those who open transactions the way MikroORM does.
 *
 * It is not lent again once it does not answer, or not soon: where the server said that it ends the session, or still works
 * at a statement that this side has given up. The pool would see to both itself, were it told of the error with which a
 * connection is given back. MikroORM does not tell; and where a rollback fails, as it must on a lost connection, it gives
 * nothing back at all: a lost connection gives back itself, or the pool would be short of one for ever.
 *
 * `begin` is sent with the first statement where that is a `Statement`, and not at all where none follows.
 */
export class PooledClient extends pg.Client {
  /** Where what fails in transactions, and in queries of entity managers, is counted. */
  errors: DatabaseErrorCounts | undefined;
  private begins = false;
  private giveBack: GiveBack = () => undefined;
  private isLost = false;
  private isOnStandby = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.once('end', () => {
      this.isLost = true;
      this.giveBack(true);
    });
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName === 'in_hot_standby') this.isOnStandby = parameterValue === 'on';
    });
  }

  /** Whether the server follows another one. PostgreSQL 14 and later tell; of an older one nobody knows. */
  get isStandby(): boolean {
    return this.isOnStandby;
  }

  /** Set by the pool each time it lends the connection. */
  get release(): GiveBack {
    return this.giveBack;
  }

  set release(giveBack: GiveBack) {
    let given = false;
    this.giveBack = (error) => {
      // A lost one may have been given back already, by itself.
      if (given && this.isLost) return;
      given = true;
      this.begins = false;
      giveBack(error);
    };
  }

  /** As `pg` has it. Whoever passes a callback, as the pool does for its own queries, tells the pool of the error. */
  override query(...query: unknown[]): never {
    const [text, values] = query;
    if (typeof text === 'string' && query.length <= 2 && typeof values !== 'function') {
      return this.send(text, values as readonly unknown[] | undefined) as never;
    }
    if (this.takeBegins()) super.query('begin', () => undefined);
    const outcome: unknown = super.query(...(query as [string]));
    return (outcome instanceof Promise ? outcome.catch((error: unknown) => this.endAfter(error)) : outcome) as never;
  }

  private async send(text: string, values: readonly unknown[] | undefined): Promise<object> {
    if (text === 'begin') {
      this.begins = true;
      return NOTHING;
    }
    const begins = this.takeBegins();
    if (begins && (text === 'commit' || text === 'rollback')) return NOTHING;
    try {
      if (values instanceof StatementValues) {
        return { rows: await this.submit(new ExtendedQuery(values.statementName, text, values, begins)) };
      }
      if (begins) await super.query('begin');
      const result = await super.query(text, values as unknown[]);
      // PostgreSQL's answer to a commit where a statement had failed, whoever caught its error.
      if (text === 'commit' && result.command === 'ROLLBACK') throw rolledBack();
      return result;
    } catch (error) {
      // A rollback fails where what it follows has failed before.
      if (text !== 'rollback') this.errors?.add(error);
      if (text === 'commit' && isConnectionLost(error)) throw new UnknownOutcomeError(error);
      return this.endAfter(error);
    }
  }

  private submit(query: ExtendedQuery): Promise<readonly Row[]> {
    return new Promise((resolve, reject) => {
      const settle = (error: Error | null, rows: readonly Row[] = []) => {
        if (error === null) resolve(rows);
        else reject(error);
      };
      (super.query as (...query: unknown[]) => unknown)(query, undefined, settle);
    });
  }

  private takeBegins(): boolean {
    const { begins } = this;
    this.begins = false;
    return begins;
  }

  private endAfter(error: unknown): never {
    // The pool keeps no connection that was told to end.
    if (!isOfStatement(error)) void this.end();
    throw error;
  }
}

/** Of a commit that came to nothing: a statement had failed, and the work went on as if it had not. */
function rolledBack(): Error {
  const error = new Error('Nothing was committed, because a statement of the transaction had failed');
  // As PostgreSQL says it of statements (in_failed_sql_transaction); the session goes on.
  return Object.assign(error, { code: '25P02', severity: 'ERROR' });
}

/**
 * Whether the server says it against the statement alone, and the session goes on (PostgreSQL, "Error and Notice Message
 * Fields", S). One that translates its messages may say otherwise that it ends: the connection is dropped as it closes then.
 */
function isOfStatement(error: unknown): boolean {
  const severity = (error as { readonly severity?: unknown } | null)?.severity;
  return typeof severity === 'string' && severity !== 'FATAL' && severity !== 'PANIC';
}
