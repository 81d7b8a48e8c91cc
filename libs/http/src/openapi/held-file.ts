import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { entityTag } from '../responses/entity-tag.js';

const compress = promisify(gzip);

/** A shorter file is not compressed, because compression gains nothing. In bytes. */
const COMPRESSED_FROM = 1_024;

/** The browser validates the file before each use, and downloads it only if it has changed. */
const REVALIDATED = 'no-cache';

/**
 * The browser uses the file for a year without a request, even on reload (RFC 8246): other content has another address.
 */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The length of the hash, 16 hexadecimal digits: 64 bits, for a few files. */
const HASH_LENGTH = 16;

/** The bytes of a file in one encoding, with their own strong tag (RFC 9110, section 8.8.3.3). */
export interface Representation {
  readonly body: Buffer;
  readonly entityTag: string;
  readonly encoding?: 'gzip';
}

/**
 * A file that is served from memory: compressed once, then the same bytes for every client. Brotli would save 50 kB of
 * the 430 kB of the largest file, once a year for each client. That is not worth a third copy.
 */
export class HeldFile {
  private constructor(
    readonly contentType: string,
    private readonly plain: Representation,
    private readonly compressed: Representation | undefined,
    /** The value of `Cache-Control`. */
    readonly cacheControl = REVALIDATED,
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

  /** The same file for an address that always has the same content: one with the {@link contentHash}. */
  immutable(): HeldFile {
    return new HeldFile(this.contentType, this.plain, this.compressed, IMMUTABLE);
  }

  /** Identifies the content of the file, in hexadecimal digits. */
  get contentHash(): string {
    return hash('sha256', this.plain.body, 'hex').slice(0, HASH_LENGTH);
  }

  /** @param acceptsGzip whether the client accepts gzip */
  representation(acceptsGzip: boolean): Representation {
    return (acceptsGzip ? this.compressed : undefined) ?? this.plain;
  }
}
