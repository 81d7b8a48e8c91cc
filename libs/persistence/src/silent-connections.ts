import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';

/** As far as it is looked at here, a client of `pg`; its stream is the encrypted one where TLS is on. */
interface PgClient {
  readonly connection: { readonly stream: Socket };
}

/**
 * Gives connections up on which nothing was heard for a while. When its machine vanishes a server closes no connection,
 * and its own time limits are of no use: without this one a statement would wait until TCP gives up, after minutes.
 *
 * @param silenceMs longer than any statement may take
 */
export function dropSilentConnections(silenceMs: number): (pool: EventEmitter) => void {
  return (pool) => {
    pool.on('connect', ({ connection: { stream } }: PgClient) => {
      stream.setTimeout(silenceMs, () => {
        stream.destroy(Object.assign(new Error('The database server fell silent'), { code: 'ETIMEDOUT' }));
      });
    });
  };
}
