import type { IncomingMessage } from 'node:http';
import { RequestError } from '../errors/request.errors.js';
import { faultOfBody } from './broken-body.js';
import type { BodyLimits } from './body-limits.js';
import type { BodyReservation } from './body-memory-budget.js';
import { leaveUnread, oneReadPerTurn } from './unread-body.js';

/** Chunks below this size are copied together, in bytes: one of a single byte takes hundreds as an object. */
const SMALL_CHUNK = 4 * 1024;

/** What small chunks are copied into, in bytes. */
const PAGE = 16 * 1024;

/** Each chunk costs Node the time of hundreds of bytes: this many may be below that many bytes, as no client sends them. */
const TINY_CHUNK = 64;
const MAX_TINY_CHUNKS = 10_000;

/** The bytes of a body, as they come. */
class Chunks {
  private readonly whole: Buffer[] = [];
  private page = Buffer.alloc(0);
  private used = 0;
  size = 0;
  /** How much memory they take. */
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

/** For an error that still comes: it has been told already. Not a function of the reader, as it would keep what was read. */
const ignore = () => undefined;

/**
 * Reads a body by the events of its stream.
 *
 * @throws RequestError as a rejection
 * @throws BodiesTooLargeError as a rejection, where all bodies together are too large
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
        // What still comes is dropped.
        request.resume();
        reject(error);
      });
    };
    const refuseUnread = (error: Error) => {
      settle(() => {
        // To drop what still comes takes memory and time too.
        leaveUnread(request);
        reject(error);
      });
    };
    const room: BodyReservation = memory.open(refuseUnread);
    let tinyChunks = 0;
    const onRead = oneReadPerTurn(request, () => turns.next());
    const onData = (chunk: Buffer) => {
      onRead();
      if (chunk.length < TINY_CHUNK && ++tinyChunks > MAX_TINY_CHUNKS) {
        refuseUnread(RequestError.invalid([`The body comes in more than ${MAX_TINY_CHUNKS} chunks of a few bytes`]));
        return;
      }
      if (chunks.size + chunk.length > limit) {
        refuse(RequestError.payloadTooLarge(limit));
        return;
      }
      chunks.add(chunk);
      // One body alone is never too much, however it lies in memory.
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
      refuse(faultOfBody(request) ?? RequestError.invalid(['The body ended before its announced length']));
    };
    request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
    // No event comes after that one.
    if (request.closed || faultOfBody(request) !== undefined) onClose();
  });
}
