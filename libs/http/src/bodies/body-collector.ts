import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { RequestError } from '../errors/request.errors.js';
import type { BodyLimits, BodyReservation, TurnLimiter } from './body-limits.js';

/**
 * A body may have this many chunks below this size, in bytes: each chunk costs Node the time of hundreds of bytes, and
 * no honest client sends so many.
 */
const TINY_CHUNK = 64;
const MAX_TINY_CHUNKS = 10_000;

/**
 * Chunks below this size are copied into a common buffer, in bytes: as an object, a chunk of one byte takes hundreds of
 * bytes.
 */
const SMALL_CHUNK = 4 * 1024;

/** The size of the common buffer, in bytes. */
const PAGE = 16 * 1024;

/**
 * The bytes of a body in the order of their arrival. One buffer that grows would leave copies behind: 600 bodies of 1
 * MiB took 434 MiB instead of 300.
 */
class Chunks {
  private readonly whole: Buffer[] = [];
  private page = Buffer.alloc(0);
  private used = 0;
  size = 0;
  /** The memory that they take, in bytes. */
  bytesHeld = 0;

  add(chunk: Buffer): void {
    this.size += chunk.length;
    if (chunk.length >= SMALL_CHUNK) {
      this.endPage();
      this.whole.push(chunk);
      this.bytesHeld += chunk.length;
      return;
    }
    if (this.used + chunk.length > this.page.length) {
      this.endPage();
      this.page = Buffer.allocUnsafe(PAGE);
      this.bytesHeld += PAGE;
    }
    this.used += chunk.copy(this.page, this.used);
  }

  concat(): Buffer {
    this.endPage();
    return Buffer.concat(this.whole, this.size);
  }

  private endPage(): void {
    if (this.used > 0) this.whole.push(this.page.subarray(0, this.used));
    this.page = this.page.subarray(this.used);
    this.used = 0;
  }
}

/**
 * For an error after the first one, which was already reported. Defined outside the reader, because a closure would
 * keep the body in memory.
 */
const ignore = () => undefined;

/**
 * Reads a body from the events of its stream.
 *
 * @throws RequestError as a rejection
 * @throws BodiesTooLargeError as a rejection, if all bodies together are too large
 */
export function collectBody(request: IncomingMessage, { limit, memory, turns }: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks = new Chunks();

    const settle = (outcome: () => void) => {
      request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      room.release();
      request.on('error', ignore);
      outcome();
    };
    const refuse = (error: Error) => {
      settle(() => {
        // The connection ends with the response, and drops the rest of the body (`closeLingering`).
        request.pause();
        reject(error);
      });
    };
    const room: BodyReservation = memory.open(refuse);
    let tinyChunks = 0;
    const onRead = oneReadPerTurn(request, turns);
    const onData = (chunk: Buffer) => {
      onRead();
      if (chunk.length < TINY_CHUNK && ++tinyChunks > MAX_TINY_CHUNKS) {
        refuse(
          RequestError.invalid([
            `The body comes in more than ${MAX_TINY_CHUNKS} chunks of a few bytes: send larger ones`,
          ]),
        );
        return;
      }
      if (chunks.size + chunk.length > limit) {
        refuse(RequestError.payloadTooLarge(limit));
        return;
      }
      chunks.add(chunk);
      // The memory of a body may exceed its size. One body alone must never be refused for that.
      room.grow(Math.min(chunks.bytesHeld, limit));
    };
    const onEnd = () => {
      settle(() => {
        resolve(chunks.concat());
      });
      request.resume();
    };
    const onClose = () => {
      if (!request.complete) onError();
    };
    const onError = () => {
      refuse(
        faultOfBody(request) ?? RequestError.invalid(['The body ended before its announced length: send all of it']),
      );
    };
    request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
    // The stream has already emitted its last event.
    if (request.closed || faultOfBody(request) !== undefined) onClose();
  });
}

/** Whether reading from the connection is suspended. */
const isHeld = Symbol('is held');

type Connection = Socket & { [isHeld]?: boolean };

/** Code that reads a body resumes its socket; this pauses it again while it is held. */
function stayHeld(this: Connection): void {
  if (this[isHeld] === true) this.pause();
}

/**
 * Reads from a connection once in a turn of the event loop, so that other connections are served between the reads.
 * Node takes up to 32 reads at once, and one read may bring ten thousand chunks.
 *
 * @returns a function that must be called with every chunk
 */
function oneReadPerTurn(request: IncomingMessage, turns: TurnLimiter): () => void {
  const socket: Connection = request.socket;
  return () => {
    if (socket[isHeld] === true) return;
    if (socket[isHeld] === undefined) socket.on('resume', stayHeld);
    socket[isHeld] = true;
    socket.pause();
    void turns.next().then(() => {
      socket[isHeld] = false;
      socket.resume();
    });
  };
}

const fault = Symbol('fault of the body');

type Request = IncomingMessage & { [fault]?: Error };

/**
 * Records that the rest of a request will not arrive, because it is not valid HTTP or came too late. Code that reads
 * the body gets the error, now or later. Code that refuses the request without reading the body does not need it.
 */
export function breakBody(request: IncomingMessage, error: Error): void {
  (request as Request)[fault] = error;
  if (request.listenerCount('error') > 0) request.emit('error', error);
}

/** The error that {@link breakBody} recorded, if any. */
function faultOfBody(request: IncomingMessage): Error | undefined {
  return (request as Request)[fault];
}
