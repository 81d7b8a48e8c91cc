import type { IncomingMessage } from 'node:http';
import { RequestError } from '../errors/request.errors.js';
import { faultOfBody } from './broken-body.js';
import type { BodyLimits } from './body-limits.js';
import type { BodyReservation } from './body-memory-budget.js';
import { leaveUnread, oneReadPerTurn } from './unread-body.js';

/**
 * Chunks below this size are copied into a common buffer, in bytes: as an object, a chunk of one byte takes hundreds of
 * bytes.
 */
const SMALL_CHUNK = 4 * 1024;

/** The size of the common buffer, in bytes. */
const PAGE = 16 * 1024;

/**
 * A body may have this many chunks below this size, in bytes: each chunk costs Node the time of hundreds of bytes, and
 * no honest client sends so many.
 */
const TINY_CHUNK = 64;
const MAX_TINY_CHUNKS = 10_000;

/** The bytes of a body in the order of their arrival. */
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
        // The rest of the body is dropped.
        request.resume();
        reject(error);
      });
    };
    const refuseUnread = (error: Error) => {
      settle(() => {
        // Dropping the rest of the body would take memory and time too.
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
      refuse(faultOfBody(request) ?? RequestError.invalid(['The body ended before its announced length']));
    };
    request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
    // The stream has already emitted its last event.
    if (request.closed || faultOfBody(request) !== undefined) onClose();
  });
}
