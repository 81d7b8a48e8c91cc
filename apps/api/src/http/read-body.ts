import type { IncomingMessage } from 'node:http';
import { RequestError } from '../errors/request.errors.js';
import { faultOfBody } from './broken-body.js';
import type { BodyMemory, BodyRoom } from './body-memory.js';
import { isSupportedCoding, type Inflater } from './inflate.js';

/** Where bodies are read to, and how much of each. */
export interface BodyLimits {
  /** The largest body in bytes, before inflating and after it. */
  readonly limit: number;
  readonly memory: BodyMemory;
  readonly inflater: Inflater;
}

/** Whether the request announces a body (RFC 9112, section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * Reads and inflates a body. Stops at the limit, whatever the sender claims the size to be: the rest is left unread.
 *
 * @param start called when the body is about to be read; a body that is refused by its headers alone never is
 * @throws RequestError at once where the header tells, else as a rejection
 * @throws BodiesTooLargeError as a rejection, where all bodies together are too large
 */
export function readBody(
  request: IncomingMessage,
  { limit, memory, inflater }: BodyLimits,
  start: () => void,
): Promise<Buffer> {
  const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) throw RequestError.payloadTooLarge(limit);
  if (!isSupportedCoding(coding)) throw RequestError.unsupportedEncoding();
  start();
  // Most bodies come with their header. Node calls the handler in the middle of the bytes that both came in, and has
  // parsed the rest of them a promise later: such a body need not wait for the events of a stream.
  const sent = Promise.resolve().then(() => {
    const isWhole = request.complete || (announced > 0 && request.readableLength === announced);
    return isWhole ? take(request, limit) : collect(request, limit, memory);
  });
  return coding === 'identity' ? sent : sent.then((bytes) => inflater.inflate(coding, bytes, limit));
}

function take(request: IncomingMessage, limit: number): Buffer {
  const body = (request.read() as Buffer | null) ?? Buffer.alloc(0);
  request.resume();
  if (body.length > limit) throw RequestError.payloadTooLarge(limit);
  return body;
}

/** How much room a body gets before any of it came, in bytes; it doubles as often as it must. */
const FIRST_ROOM = 4 * 1024;

/** Copies the body into one buffer: a chunk may be a single byte, which takes hundreds as an object. */
function collect(request: IncomingMessage, limit: number, memory: BodyMemory): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let body = Buffer.alloc(0);
    let size = 0;

    const settle = (outcome: () => void) => {
      request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      room.release();
      // What still comes is dropped; an error that still comes has been told already.
      request.on('error', () => undefined);
      request.resume();
      outcome();
    };
    const refuse = (error: Error) => {
      settle(() => {
        reject(error);
      });
    };
    const room: BodyRoom = memory.open(refuse);
    const onData = (chunk: Buffer) => {
      const needed = size + chunk.length;
      if (needed > limit) {
        refuse(RequestError.payloadTooLarge(limit));
        return;
      }
      if (needed > body.length) {
        const length = Math.min(limit, Math.max(needed, FIRST_ROOM, 2 * body.length));
        if (!room.grow(length)) return;
        const larger = Buffer.allocUnsafe(length);
        body.copy(larger, 0, 0, size);
        body = larger;
      }
      chunk.copy(body, size);
      size = needed;
    };
    const onEnd = () => {
      settle(() => {
        resolve(body.subarray(0, size));
      });
    };
    const onClose = () => {
      if (!request.complete) onError();
    };
    const onError = () => {
      refuse(faultOfBody(request) ?? RequestError.invalid(['The body ended before its announced length']));
    };
    request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
    // No event comes after that one.
    if (request.closed || faultOfBody(request) !== undefined) onClose();
  });
}
