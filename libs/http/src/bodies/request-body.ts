import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { RequestError } from '../errors/request.errors.js';
import { keepResponse, observeBody } from '../node-internals.js';
import type { BodyLimits, BodyReservation, TurnLimiter } from './body-limits.js';

/** Whether the request announces a body (RFC 9112, section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * The rest of a body up to this size, in bytes, is read and dropped, and the connection stays open. A larger one ends
 * the connection.
 */
const KEEP_ALIVE_UP_TO = 64 * 1024;

const expectingContinue = new WeakSet<IncomingMessage>();

/** Records that the client waits for `100 Continue` before it sends the body (RFC 9110, section 10.1.1). */
export function bodyAwaitsContinue(request: IncomingMessage): void {
  expectingContinue.add(request);
}

/** Sends `100 Continue` if the client waits for it. */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (expectingContinue.delete(request)) response.writeContinue();
}

/**
 * Whether the connection must end with this response, because the client may continue to send a body that is not read.
 * A short body is read and dropped instead, and the connection stays open.
 */
export function leavesBodyUnread(request: IncomingMessage): boolean {
  if (request.complete) return false;
  if (expectingContinue.has(request) || request.headers['transfer-encoding'] !== undefined) return true;
  const length = request.headers['content-length'];
  return length !== undefined && Number(length) > KEEP_ALIVE_UP_TO;
}

/**
 * Refuses a body that is not sent as it is. Bodies are small: to inflate them would buy nobody anything, and cost
 * memory and processor time that a stranger chooses.
 *
 * @returns the refusal: 415 for a `Content-Encoding`, 400 for a `Transfer-Encoding` other than `chunked`
 */
export function refusalOfEncodedBody({ headers }: IncomingMessage): RequestError | undefined {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'identity') return RequestError.unsupportedEncoding();
  const transfer = headers['transfer-encoding']?.trim().toLowerCase() ?? 'chunked';
  return transfer === 'chunked' ? undefined : RequestError.invalid(['Transfer-Encoding may only be chunked']);
}

/**
 * Reads a body. Reading stops at the limit, even if the announced size is smaller; the rest stays unread.
 *
 * @param start called before the body is read; not called for a body that is refused by its headers
 * @throws RequestError immediately if the headers are wrong, otherwise as a rejection
 * @throws BodiesTooLargeError as a rejection, if all bodies together are too large
 */
export function readBody(request: IncomingMessage, limits: BodyLimits, start: () => void): Promise<Buffer> {
  const { limit } = limits;
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) throw RequestError.payloadTooLarge(limit);
  start();
  // Most bodies arrive together with the header. Node calls the handler while it still parses those bytes, and has
  // parsed all of them one promise later. Such a body does not wait for the events of a stream.
  return Promise.resolve().then(() => {
    const isWhole = request.complete || (announced > 0 && request.readableLength === announced);
    return isWhole ? take(request, limit) : collectBody(request, limits);
  });
}

function take(request: IncomingMessage, limit: number): Buffer {
  const body = (request.read() as Buffer | null) ?? Buffer.alloc(0);
  request.resume();
  if (body.length > limit) throw RequestError.payloadTooLarge(limit);
  return body;
}

/**
 * Limits a body that other code reads, such as Nest's `FileInterceptor`. Beyond the limit the reader gets no more
 * bytes, and an error event as from any stream.
 *
 * @throws RequestError if the header announces a body that is too large
 */
export function limitOwnBody(
  request: IncomingMessage,
  response: ServerResponse,
  { limit, memory }: Pick<BodyLimits, 'limit' | 'memory'>,
): void {
  if (!hasBody(request)) return;
  if (Number(request.headers['content-length'] ?? 0) > limit) throw RequestError.payloadTooLarge(limit);
  let bytes = request.readableLength;
  const state = { isRefused: false };
  const isRefused = () => state.isRefused;
  const refuse = (error: Error) => {
    if (isRefused()) return;
    state.isRefused = true;
    room.release();
    const isHeard = request.listenerCount('error') > 0;
    keepResponse(request);
    breakBody(request, error);
    // A reader that heard the error still waits for the end, and cannot mistake a part of the body for the whole.
    if (isHeard) setImmediate(end);
  };
  const room = memory.open(refuse);
  response.once('close', () => {
    room.release();
  });
  const end = observeBody(request, (length) => {
    if (isRefused()) return false;
    bytes += length;
    if (bytes > limit) refuse(RequestError.payloadTooLarge(limit));
    else room.grow(bytes);
    return !isRefused();
  });
  sendContinue(request, response);
}

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
function collectBody(request: IncomingMessage, { limit, memory, turns }: BodyLimits): Promise<Buffer> {
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
