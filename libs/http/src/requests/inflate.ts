import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate as inflateZlib, type ZlibOptions } from 'node:zlib';
import pLimit from 'p-limit';
import { RequestError } from '../errors/request.errors.js';

type Decoder = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;

/** The content codings that a body may have (RFC 9110, section 8.4.1). */
const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  'x-gzip': promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  deflate: promisify<Buffer, ZlibOptions, Buffer>(inflateZlib),
  br: promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress),
};

/** The output of one decompression step, in bytes. */
const STEP_BYTES = 64 * 1024;

/**
 * The number of bodies that are decompressed at the same time: the number of threads that Node has for it. A decoder
 * may take megabytes.
 */
const MAX_AT_ONCE = 4;

/** Whether a body may have this `Content-Encoding`. `identity` is not in the table. */
export function isSupportedCoding(coding: string): boolean {
  return Object.hasOwn(DECODERS, coding);
}

/** Decompresses bodies that have arrived completely, so that no decoder waits for a slow client. */
export class Inflater {
  private readonly turn = pLimit(MAX_AT_ONCE);

  /**
   * @param coding one for which {@link isSupportedCoding} is true
   * @param limit the largest output, in bytes
   * @throws RequestError 413 beyond the limit, 400 if the bytes do not have that coding
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
