import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate as inflateZlib, type ZlibOptions } from 'node:zlib';
import pLimit from 'p-limit';
import { RequestError } from '../errors/request.errors.js';

type Decoder = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;

/** The content codings that a body may come in (RFC 9110, section 8.4.1). */
const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  'x-gzip': promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  deflate: promisify<Buffer, ZlibOptions, Buffer>(inflateZlib),
  br: promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress),
};

/** How much is inflated in one step, in bytes. */
const STEP_BYTES = 64 * 1024;

/** How many bodies are inflated at once: as many as Node has threads for it. A decoder may take megabytes. */
const MAX_AT_ONCE = 4;

/** Whether a body may have this `Content-Encoding`, beside `identity`. */
export function isSupportedCoding(coding: string): boolean {
  return Object.hasOwn(DECODERS, coding);
}

/** Inflates bodies that have arrived as a whole, so that no decoder waits for a slow client. */
export class Inflater {
  private readonly turn = pLimit(MAX_AT_ONCE);

  /**
   * @param coding one that {@link isSupportedCoding}
   * @param limit the most that may come of it, in bytes
   * @throws RequestError 413 beyond the limit, 400 where the bytes are not in that coding
   */
  async inflate(coding: string, bytes: Buffer, limit: number): Promise<Buffer> {
    const decoder = DECODERS[coding];
    if (decoder === undefined) throw RequestError.unsupportedEncoding();
    try {
      return await this.turn(() => decoder(bytes, { maxOutputLength: limit, chunkSize: STEP_BYTES }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw RequestError.payloadTooLarge(limit);
      throw RequestError.invalid([
        'The body cannot be inflated: it is not in the encoding that Content-Encoding names',
      ]);
    }
  }
}
