import type { Socket } from 'node:net';

/** How long and how much is dropped while the client reads the last response, in milliseconds and bytes. */
const LINGER_MS = 2_000;
const LINGER_BYTES = 8 * 1024 ** 2;

/**
 * Closes a connection after its last response, so that the client can read that response. If the connection were closed
 * while the client still sends, the client's kernel would discard the response (RFC 9112, section 9.6; nginx calls this
 * `lingering_close`).
 *
 * Ends the writing side, and drops what still arrives. The connection is closed when the client closes its side, or
 * after 2 s or 8 MiB.
 */
export function closeLingering(socket: Socket): void {
  if (socket.destroyed || socket.writableEnded) return;
  // Node's parser does not see the bytes that are dropped: a chunk of one byte would cost it the time of hundreds.
  socket.removeAllListeners('data');
  let dropped = 0;
  socket.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > LINGER_BYTES) {
      socket.destroy();
      return;
    }
    // One read in each turn of the event loop, so that other connections are served between the reads.
    socket.pause();
    setImmediate(() => socket.resume());
  });
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.end();
  socket.resume();
}
