import { createHmac, timingSafeEqual } from 'node:crypto';

const VERSION = 2;
/** Version, id of the last item, then a truncated HMAC-SHA-256 over them and the scope; in bytes. */
const CONTENT_BYTES = 9;
const MAC_BYTES = 16;

/**
 * The cursors of pages: which item the page before ended with. They are signed together with their scope, so that one which
 * was changed, made up, or moved to another collection or filter is told from one of ours by every instance (ADR 0014).
 */
export class PageCursors {
  private key: Promise<Buffer> | undefined;

  /** @param loadKey the secret that all instances share; asked for once, and again after a failure */
  constructor(private readonly loadKey: () => Promise<Buffer>) {}

  /** @param scope names the collection and its filter */
  async encode(afterId: bigint, scope: string): Promise<string> {
    const content = Buffer.alloc(CONTENT_BYTES);
    content.writeUInt8(VERSION, 0);
    content.writeBigInt64BE(afterId, 1);
    return Buffer.concat([content, await this.mac(content, scope)]).toString('base64url');
  }

  /** @returns `undefined` when this is no cursor of ours for this scope */
  async decode(cursor: string, scope: string): Promise<bigint | undefined> {
    const bytes = Buffer.from(cursor, 'base64url');
    const content = bytes.subarray(0, CONTENT_BYTES);
    const genuine =
      bytes.length === CONTENT_BYTES + MAC_BYTES &&
      // One cursor has one spelling: Node's decoder skips what is not base64.
      bytes.toString('base64url') === cursor &&
      timingSafeEqual(bytes.subarray(CONTENT_BYTES), await this.mac(content, scope));
    return genuine && content[0] === VERSION ? content.readBigInt64BE(1) : undefined;
  }

  private async mac(content: Buffer, scope: string): Promise<Buffer> {
    return createHmac('sha256', await this.loadedKey())
      .update(content)
      .update(scope)
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
