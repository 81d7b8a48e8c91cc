import { Socket } from 'node:net';

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
