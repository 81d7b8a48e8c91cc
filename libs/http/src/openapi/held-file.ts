import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { entityTag } from '../answers/entity-tag.js';

const compress = promisify(gzip);

/** What is shorter gains nothing from being compressed, in bytes. */
const COMPRESSED_FROM = 1_024;

/** The bytes of a file in one encoding, with their own strong tag (RFC 9110, section 8.8.3.3). */
export interface Representation {
  readonly body: Buffer;
  readonly entityTag: string;
  readonly encoding?: 'gzip';
}

/**
 * A file that is served from memory: compressed once, then the same bytes for everyone. Brotli would save another eighth of
 * the largest one, and is not worth a third copy.
 */
export class HeldFile {
  private constructor(
    readonly contentType: string,
    private readonly plain: Representation,
    private readonly compressed: Representation | undefined,
  ) {}

  static async of(contentType: string, content: string | Buffer): Promise<HeldFile> {
    const body = Buffer.from(content);
    const small = body.length < COMPRESSED_FROM;
    const compressed = small ? body : await compress(body, { level: constants.Z_BEST_COMPRESSION });
    return new HeldFile(
      contentType,
      { body, entityTag: entityTag(body) },
      compressed.length < body.length
        ? { body: compressed, entityTag: entityTag(compressed), encoding: 'gzip' }
        : undefined,
    );
  }

  /** @param acceptsGzip whether the client takes gzip */
  representation(acceptsGzip: boolean): Representation {
    return (acceptsGzip ? this.compressed : undefined) ?? this.plain;
  }
}
