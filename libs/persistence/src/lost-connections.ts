import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

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
