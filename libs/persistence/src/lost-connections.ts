import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import pg from 'pg';

/** What `pg` talks to a server through: a socket, or what stands in its place. */
type ServerStream = Duplex & { setTimeout(milliseconds: number, listener: () => void): unknown };

/**
 * Ends a connection on which nothing was heard for a while. When its machine vanishes a server closes no connection, and its
 * own time limits are of no use: without this one a statement would wait until TCP gives up, after minutes.
 *
 * @param silenceMs longer than any statement may take
 * @returns for the option `stream` of `pg`, which encrypts what goes through where TLS is on
 */
export function endSilentConnections(
  silenceMs: number,
  open: () => ServerStream = () => new Socket(),
): () => ServerStream {
  return () => {
    const stream = open();
    stream.once('connect', () => {
      stream.setTimeout(silenceMs, () => {
        stream.destroy(Object.assign(new Error('The database server fell silent'), { code: 'ETIMEDOUT' }));
      });
    });
    return stream;
  };
}

/**
 * For the option `Client` of a pool of `pg`: a connection that is not lent again once it does not answer, or not soon.
 *
 * - The server said that it ends the session. It closes the connection a moment later.
 * - This side has given up a statement at which the server still works: the next one would wait for it.
 *
 * The pool would see to both itself, were it told of the error with which a connection is given back. MikroORM's units of
 * work don't tell.
 */
export class LentClient extends pg.Client {
  /** As `pg` has it. Whoever passes a callback, as the pool does for its own queries, tells the pool of the error. */
  override query(...query: unknown[]): never {
    const outcome: unknown = super.query(...(query as [string]));
    return (outcome instanceof Promise ? outcome.catch((error: unknown) => this.endAfter(error)) : outcome) as never;
  }

  private endAfter(error: unknown): never {
    // The pool keeps no connection that was told to end.
    if (!isOfStatement(error)) void this.end();
    throw error;
  }
}

/**
 * Whether the server says it against the statement alone, and the session goes on (PostgreSQL, "Error and Notice Message
 * Fields", S). One that translates its messages may say otherwise that it ends: the connection is dropped as it closes then.
 */
function isOfStatement(error: unknown): boolean {
  const severity = (error as { readonly severity?: unknown } | null)?.severity;
  return typeof severity === 'string' && severity !== 'FATAL' && severity !== 'PANIC';
}
