import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The stream of a `pg` connection: a socket, or a replacement. */
type ServerStream = Duplex & { setTimeout(milliseconds: number, listener: () => void): unknown };

/**
 * Closes connections on which no data arrives for a time. If the machine of a server fails, the server closes no connection and
 * its time limits have no effect. Without this limit a statement would wait for minutes, until TCP gives up.
 *
 * @param silenceMs longer than the time limit of statements
 * @returns a value for the option `stream` of `pg`; TLS is added to the stream
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
