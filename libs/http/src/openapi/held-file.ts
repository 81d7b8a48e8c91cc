import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { entityTag } from '../responses/entity-tag.js';

const compress = promisify(gzip);

/** What is shorter gains nothing from being compressed, in bytes. */
const COMPRESSED_FROM = 1_024;

/** Asked for again each time, and sent only where it has changed. */
const REVALIDATED = 'no-cache';

/** Never asked for again within a year, not even on reload (RFC 8246): other content has another address. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Of 16 hexadecimal digits: 64 bits, for a handful of files. */
const HASH_LENGTH = 16;

/** The bytes of a file in one encoding, with their own strong tag (RFC 9110, section 8.8.3.3). */
export interface Representation {
  readonly body: Buffer;
  readonly entityTag: string;
  readonly encoding?: 'gzip';
}

/**
 * A file that is served from memory: compressed once, then the same bytes for everyone. Brotli would save 50 kB of 430 of the
 * largest one, once a year and client, and is not worth a third copy.
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

  /** The same bytes, for an address that has no others: one with the {@link contentHash}. */
  immutable(): HeldFile {
    return new HeldFile(this.contentType, this.plain, this.compressed, IMMUTABLE);
  }

  /** Tells its content from any other, in hexadecimal digits. */
  get contentHash(): string {
    return hash('sha256', this.plain.body, 'hex').slice(0, HASH_LENGTH);
  }

  /** @param acceptsGzip whether the client takes gzip */
  representation(acceptsGzip: boolean): Representation {
    return (acceptsGzip ? this.compressed : undefined) ?? this.plain;
  }
}
