/**
 * Closing a connection so that the client can read the last response. If it were closed while the client still sends,
 * the client's kernel would discard the response (RFC 9112, section 9.6; nginx calls this `lingering_close`).
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { Pace } from './pace.js';

/** How long and how much is dropped while the client reads the last response: milliseconds, bytes, and chunks. */
const LINGER_MS = 2_000;
const LINGER_BYTES = 8 * 1024 ** 2;
const LINGER_CHUNKS = 10_000;

/** The same for a request that Node's parser has given up: nothing of it will come, in milliseconds. */
const BROKEN_LINGER_MS = 100;

/**
 * All such connections together drop 20 MB/s. A read costs a copy, and memory that V8 collects: 600 bodies of 1 MiB that were
 * dropped as fast as they arrived made others wait for 2 s.
 */
const DROPPED = new Pace(1024 ** 2, 50);

/** Drops the rest of a body that nobody reads, and then calls back. */
export function dropBody(request: IncomingMessage, isBroken: boolean, done: () => void): void {
  drop(request, isBroken ? BROKEN_LINGER_MS : LINGER_MS, done);
}

/** Ends the writing side of a connection, drops what still arrives, and closes the connection. */
export function closeLingering(socket: Socket): void {
  if (socket.destroyed || socket.writableEnded) return;
  // Node's parser does not see the bytes that are dropped.
  socket.removeAllListeners('data');
  socket.end();
  drop(socket, LINGER_MS, () => socket.destroy());
}

/** Reads and drops until the stream ends, or a limit is reached. Calls back once. */
function drop(stream: Readable, lingerMs: number, done: () => void): void {
  let bytes = 0;
  let chunks = 0;
  let isDone = false;
  const finish = () => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    DROPPED.leave(resume);
    done();
  };
  const resume = () => {
    stream.resume();
  };
  const timer = setTimeout(finish, lingerMs).unref();
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    chunks += 1;
    if (bytes > LINGER_BYTES || chunks > LINGER_CHUNKS) finish();
    else if (!DROPPED.passes(chunk.length, resume)) stream.pause();
  });
  stream.once('end', finish).once('close', finish).once('error', finish);
  stream.resume();
}
