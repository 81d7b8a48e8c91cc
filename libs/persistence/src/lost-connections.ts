import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type pg from 'pg';

/** As far as it is looked at here, a client of `pg`; its stream is the encrypted one where TLS is on. */
interface PgClient {
  readonly connection: EventEmitter & { readonly stream: Socket };
  /** What the server was sent and has not answered. */
  readonly _activeQuery: object | null;
  end(): Promise<void>;
}

/**
 * Keeps a pool of `pg` from lending connections that don't answer, or not soon:
 *
 * - Those on which nothing was heard for a while. When its machine vanishes a server closes no connection, and its own time
 *   limits are of no use: without this one a statement would wait until TCP gives up, after minutes.
 * - Those that the server said to be ending. It closes them a moment later.
 * - Those given back while the server works at a statement that this side has given up: the next one would wait for it.
 *
 * The pool would see to the last two itself, were it told of the error with which a connection is given back. MikroORM's
 * units of work don't tell.
 *
 * @param silenceMs longer than any statement may take
 */
export function dropLostConnections(silenceMs: number): (pool: EventEmitter) => void {
  return (pool) => {
    pool.on('connect', (client: PgClient) => {
      const { stream } = client.connection;
      stream.setTimeout(silenceMs, () => {
        stream.destroy(Object.assign(new Error('The database server fell silent'), { code: 'ETIMEDOUT' }));
      });
      client.connection.on('errorMessage', ({ severity }: pg.DatabaseError) => {
        if (endsSession(severity)) void client.end();
      });
    });
    pool.on('release', (_error: unknown, client: PgClient) => {
      // The pool keeps no connection that was told to end.
      if (client._activeQuery !== null) void client.end();
    });
  };
}

/**
 * Whether the server ends the session with an error of this severity, rather than the statement alone (PostgreSQL, "Error
 * and Notice Message Fields", S). One that translates its messages may say it otherwise: then it is dropped as it closes.
 */
function endsSession(severity: string | undefined): boolean {
  return severity === 'FATAL' || severity === 'PANIC';
}
