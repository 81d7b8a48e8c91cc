import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/**
 * How much is read and dropped while the client reads the response, before the connection is closed: bytes, chunks and
 * milliseconds.
 */
const LINGER_BYTES = 8 * 1024 ** 2;
const LINGER_CHUNKS = 10_000;
const LINGER_MS = 2_000;
const LINGER_CHECK_MS = 50;

/** Whether reading from the connection is suspended. */
const isHeld = Symbol('is held');

type Connection = Socket & { [isHeld]?: boolean };

/**
 * Reads nothing from the connection until {@link letGo}. Code that reads a body resumes its socket; this pauses it
 * again.
 */
function hold(socket: Connection): void {
  if (socket[isHeld] === undefined) socket.on('resume', stayHeld);
  socket[isHeld] = true;
  socket.pause();
}

function letGo(socket: Connection): void {
  socket[isHeld] = false;
  socket.resume();
}

function stayHeld(this: Connection): void {
  if (this[isHeld] === true) this.pause();
}

const leftUnread = new WeakSet<IncomingMessage>();

/** Reads nothing more of the body, even when the connection ends. */
export function leaveUnread(request: IncomingMessage): void {
  leftUnread.add(request);
  request.pause();
  hold(request.socket);
}

/**
 * Reads from a connection once in each turn of the event loop, so that other connections are served between the reads.
 * Node takes up to 32 reads at once, and one read may bring ten thousand chunks.
 *
 * @param nextTurn resolves when the next read may happen
 * @returns a function that must be called with every chunk
 */
export function oneReadPerTurn(request: IncomingMessage, nextTurn: () => Promise<void> = setImmediate): () => void {
  const { socket } = request;
  let isPaused = false;
  return () => {
    if (isPaused) return;
    isPaused = true;
    hold(socket);
    void nextTurn().then(() => {
      isPaused = false;
      if (!leftUnread.has(request)) letGo(socket);
    });
  };
}

/**
 * Ends the connection so that the client can read the response. If it were closed immediately while the client still
 * sends, the client's kernel would drop the response (RFC 9112, section 9.6). Bytes that arrive meanwhile are dropped.
 */
export function lingerAfter(request: IncomingMessage): void {
  const { socket } = request;
  if (leftUnread.has(request)) {
    closeWithoutReading(socket);
    return;
  }
  const onRead = oneReadPerTurn(request);
  let chunks = 0;
  request.on('data', () => {
    onRead();
    if (++chunks > LINGER_CHUNKS) socket.destroy();
  });
  // Node closes a connection with this method when the last response on it is written.
  socket.destroySoon = () => {
    linger(request, socket);
  };
}

/** How long a client may read the last response on a connection from which nothing more is read, in milliseconds. */
const LAST_ANSWER_MS = 1_000;

/** Ends the connection after the last response like {@link lingerAfter}, without reading what still arrives. */
export function closeWithoutReading(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LAST_ANSWER_MS).unref();
  };
}

function linger(request: IncomingMessage, socket: Socket): void {
  const bytesBefore = socket.bytesRead;
  const startedAt = performance.now();
  socket.end();
  const check = setInterval(() => {
    const over = socket.bytesRead - bytesBefore > LINGER_BYTES || performance.now() - startedAt > LINGER_MS;
    if (over || request.complete || socket.destroyed) {
      clearInterval(check);
      socket.destroy();
    }
  }, LINGER_CHECK_MS);
  check.unref();
}
