import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import pg from 'pg';
import { type DatabaseErrorCounts, isConnectionLost } from '../errors/database-errors.js';
import { UnknownOutcomeError } from '../errors/unavailability.js';
import { ExtendedQuery, StatementValues } from '../sql/extended-query.js';
import type { Row } from '../sql/sql-executor.js';

/** Returns a connection to the pool. With an error the pool closes it. */
type Release = (error?: Error | boolean) => void;

/**
 * A connection of a `pg` pool (option `Client`), for transactions of MikroORM.
 *
 * If a rollback fails, as on a lost connection, MikroORM does not give the connection back: `ControlledTransaction.rollback` of
 * Kysely 0.29 releases it only after a rollback that succeeded. The pool would have one connection less for ever. So a
 * connection that ends gives itself back. (test/integration/lost-connections.int-spec.ts fails when Kysely has mended it: then
 * `release` goes.)
 */
export class PooledClient extends pg.Client {
  /** Counts errors in transactions and in queries of entity managers. */
  errors: DatabaseErrorCounts | undefined;
  private giveBack: Release = () => undefined;
  private isEnding = false;
  private hasEnded = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.once('end', () => {
      this.hasEnded = true;
      this.giveBack(true);
    });
  }

  /** The end of the server's certificate, in seconds since 1970; `undefined` without TLS. */
  get certificateExpiry(): number | undefined {
    const { stream } = this.connection as { readonly stream: unknown };
    return stream instanceof TLSSocket ? Date.parse(stream.getPeerCertificate().valid_to) / 1000 : undefined;
  }

  /** Set by the pool each time it lends the connection. */
  get release(): Release {
    return this.giveBack;
  }

  set release(release: Release) {
    let isReleased = false;
    this.giveBack = (error) => {
      // A connection that ended may have given itself back already, or ends after it was given back.
      if (isReleased && this.hasEnded) return;
      isReleased = true;
      release(error);
    };
  }

  /** As in `pg`. Code that passes a callback, as the pool does, reports errors to the pool itself. */
  override query(...query: unknown[]): never {
    const [text, values] = query;
    if (typeof text !== 'string' || query.length > 2 || typeof values === 'function') {
      const outcome: unknown = super.query(...(query as [string]));
      return (outcome instanceof Promise ? outcome.catch((error: unknown) => this.endAfter(error)) : outcome) as never;
    }
    return this.send(text, values as readonly unknown[] | undefined) as never;
  }

  private async send(text: string, values: readonly unknown[] | undefined): Promise<object> {
    try {
      if (values instanceof StatementValues) {
        return { rows: await this.submit(new ExtendedQuery(values.statementName, text, values)) };
      }
      const result = await super.query(text, values as unknown[]);
      // PostgreSQL answers `ROLLBACK` to a commit if a statement of the transaction has failed, even if its error was caught.
      if (text === 'commit' && result.command === 'ROLLBACK') throw rolledBack();
      return result;
    } catch (error) {
      // The cause of a failed rollback was counted before.
      if (text !== 'rollback') this.errors?.add(error);
      if (text === 'commit' && isConnectionLost(error)) throw new UnknownOutcomeError(error);
      return this.endAfter(error);
    }
  }

  private endAfter(error: unknown): never {
    // The pool does not keep a connection that is ending. On this one a statement may still run, or the server has ended it.
    if (!isOfStatement(error) && !this.isEnding) {
      // Once: each call adds a listener, and every statement that waits on a lost connection fails.
      this.isEnding = true;
      void this.end();
    }
    throw error;
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
}

/** The error of a commit that was rolled back, because a statement had failed and its error was ignored. */
function rolledBack(): Error {
  const error = new Error('Nothing was committed, because a statement of the transaction had failed');
  // The error of PostgreSQL for statements in such a transaction (in_failed_sql_transaction); the session continues.
  return Object.assign(error, { code: '25P02', severity: 'ERROR' });
}

/**
 * Whether the error concerns only the statement, so that the session continues (PostgreSQL, "Error and Notice Message Fields",
 * S). A server with translated messages writes other severities; its connection is removed when it closes.
 */
function isOfStatement(error: unknown): boolean {
  const severity = (error as { readonly severity?: unknown } | null)?.severity;
  return typeof severity === 'string' && severity !== 'FATAL' && severity !== 'PANIC';
}

/**
 * Closes connections on which no data arrives for a time. If the machine of a server fails, the server closes no connection and
 * its time limits have no effect. Without this limit a statement would wait for minutes, until TCP gives up.
 *
 * @param silenceMs longer than the time limit of statements
 * @returns a value for the option `stream` of `pg`; TLS is added to the stream
 */
export function endSilentConnections(silenceMs: number): () => Socket {
  return () => {
    const socket = new Socket();
    socket.once('connect', () => {
      socket.setTimeout(silenceMs, () => {
        socket.destroy(Object.assign(new Error('The database server fell silent'), { code: 'ETIMEDOUT' }));
      });
    });
    return socket;
  };
}
