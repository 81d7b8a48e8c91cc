import { createHmac, timingSafeEqual } from 'node:crypto';

const VERSION = 1;
/**
 * A cursor contains the version, the id of the last item, and a truncated HMAC-SHA-256 of both and of the scope. Sizes
 * in bytes.
 */
const CONTENT_BYTES = 9;
const MAC_BYTES = 16;

/**
 * The cursors of pages: the id of the last item of the previous page. They are signed together with their scope, so
 * that every instance refuses a cursor that was changed, invented, or moved to another collection or filter (ADR 0014).
 */
export class PageCursors {
  private key: Promise<Buffer> | undefined;

  /** @param loadKey loads the secret that all instances share; called once, and again after a failure */
  constructor(private readonly loadKey: () => Promise<Buffer>) {}

  /** @param scope names the collection and its filter */
  async encode(afterId: bigint, scope: string): Promise<string> {
    const content = Buffer.alloc(CONTENT_BYTES);
    content.writeUInt8(VERSION, 0);
    content.writeBigInt64BE(afterId, 1);
    return Buffer.concat([content, await this.mac(content, scope)]).toString('base64url');
  }

  /** @returns `undefined` if this service did not make the cursor for this scope */
  async decode(cursor: string, scope: string): Promise<bigint | undefined> {
    const bytes = Buffer.from(cursor, 'base64url');
    const content = bytes.subarray(0, CONTENT_BYTES);
    const genuine =
      bytes.length === CONTENT_BYTES + MAC_BYTES &&
      // One cursor has one spelling: Node's decoder ignores characters that are not base64.
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
