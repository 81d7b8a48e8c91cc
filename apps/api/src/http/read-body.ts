import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { RequestError } from '../errors/request.errors.js';

/** The content codings that a body may come in (RFC 9110, section 8.4.1). */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Whether the request announces a body (RFC 9112, section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * Reads and inflates a body. Stops at the limit, whatever the sender claims the size to be: the rest is left unread.
 *
 * @param limit the largest body in bytes, before inflating and after it
 * @param start called when the body is about to be read; a body that is refused by its headers alone never is
 * @throws RequestError at once where the header tells, else as a rejection
 */
export function readBody(request: IncomingMessage, limit: number, start: () => void): Promise<Buffer> {
  const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) throw RequestError.payloadTooLarge(limit);
  if (coding === 'identity') {
    start();
    // Most bodies come with their header. Node calls the handler in the middle of the bytes that both came in, and has
    // parsed the rest of them a promise later: such a body need not wait for the events of a stream.
    return Promise.resolve().then(() => {
      const isWhole = request.complete || (announced > 0 && request.readableLength === announced);
      return isWhole ? take(request, limit) : collect(request, request, limit);
    });
  }

  const createDecoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (createDecoder === undefined) throw RequestError.unsupportedEncoding();
  start();
  const decoder = createDecoder();
  return collect(request, request.pipe(decoder), limit).finally(() => {
    request.unpipe(decoder);
    decoder.destroy();
    request.resume();
  });
}

function take(request: IncomingMessage, limit: number): Buffer {
  const body = (request.read() as Buffer | null) ?? Buffer.alloc(0);
  request.resume();
  if (body.length > limit) throw RequestError.payloadTooLarge(limit);
  return body;
}

/** @param body the request itself, or what inflates it */
function collect(request: IncomingMessage, body: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;

    const settle = (outcome: () => void) => {
      body.off('data', onData).off('end', onEnd).off('error', onError);
      request.off('close', onClose).off('data', onWire);
      // What still comes is dropped; an error that still comes has been told already.
      body.on('error', () => undefined);
      body.resume();
      outcome();
    };
    const refuse = (error: RequestError) => {
      settle(() => {
        reject(error);
      });
    };
    let sizeOnWire = 0;
    // What inflates to nothing must end too.
    const onWire = (chunk: Buffer) => {
      sizeOnWire += chunk.length;
      if (sizeOnWire > limit) refuse(RequestError.payloadTooLarge(limit));
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) refuse(RequestError.payloadTooLarge(limit));
      else chunks.push(chunk);
    };
    const onEnd = () => {
      settle(() => {
        resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
      });
    };
    const onClose = () => {
      if (!request.complete) refuse(RequestError.invalid(['The body ended before its announced length']));
    };
    const onError = () => {
      refuse(
        RequestError.invalid([
          body === request
            ? 'The body ended before its announced length'
            : 'The body cannot be inflated: it is not in the encoding that Content-Encoding names',
        ]),
      );
    };
    body.on('data', onData).on('end', onEnd).on('error', onError);
    request.on('close', onClose);
    if (body !== request) request.on('data', onWire);
    // No event comes after that one.
    if (request.closed) onClose();
  });
}
