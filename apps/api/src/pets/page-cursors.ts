import { createHmac, timingSafeEqual } from 'node:crypto';
import { PET_STATUSES, type PetStatus } from '@animal-store/pets-domain';
import { RequestError } from '@animal-store/http';

const VERSION = 1;
/** Version, filter, id of the last animal, then a truncated HMAC-SHA-256 over them; in bytes. */
const CONTENT_BYTES = 10;
const MAC_BYTES = 16;

/**
 * The cursors of the pages: which animal the page before ended with, under which filter. They are signed, so that one
 * which was changed, made up or moved to another filter is told from one of ours by every instance.
 */
export class PageCursors {
  private key: Promise<Buffer> | undefined;

  /** @param loadKey the secret that all instances share; asked for once, and again after a failure */
  constructor(private readonly loadKey: () => Promise<Buffer>) {}

  async encode(afterId: bigint, status: PetStatus | undefined): Promise<string> {
    const content = Buffer.alloc(CONTENT_BYTES);
    content.writeUInt8(VERSION, 0);
    content.writeUInt8(filterNumber(status), 1);
    content.writeBigInt64BE(afterId, 2);
    return Buffer.concat([content, await this.mac(content)]).toString('base64url');
  }

  /** @throws RequestError when this is no cursor of ours for this filter */
  async decode(cursor: string, status: PetStatus | undefined): Promise<bigint> {
    const bytes = Buffer.from(cursor, 'base64url');
    const content = bytes.subarray(0, CONTENT_BYTES);
    const genuine =
      bytes.length === CONTENT_BYTES + MAC_BYTES &&
      // One cursor has one spelling: Node's decoder skips what is not base64.
      bytes.toString('base64url') === cursor &&
      timingSafeEqual(bytes.subarray(CONTENT_BYTES), await this.mac(content));
    if (!genuine || content[0] !== VERSION || content[1] !== filterNumber(status)) {
      throw RequestError.invalid([
        'cursor must be used exactly as a Link header gave it, with the same status: follow the link, or start again without cursor',
      ]);
    }
    return content.readBigInt64BE(2);
  }

  private async mac(content: Buffer): Promise<Buffer> {
    return createHmac('sha256', await this.loadedKey())
      .update(content)
      .digest()
      .subarray(0, MAC_BYTES);
  }

  private loadedKey(): Promise<Buffer> {
    this.key ??= this.loadKey().catch((error: unknown) => {
      this.key = undefined;
      throw error;
    });
    return this.key;
  }
}

function filterNumber(status: PetStatus | undefined): number {
  return status === undefined ? 0 : PET_STATUSES.indexOf(status) + 1;
}
