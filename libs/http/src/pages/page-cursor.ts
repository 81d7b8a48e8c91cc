import { crc32 } from 'node:zlib';

/** A cursor contains a version, the id of the last item, and a checksum of both and of the scope. Sizes in bytes. */
const VERSION = 2;
const CONTENT_BYTES = 9;
const CHECKSUM_BYTES = 4;

/** The length of a cursor, in characters of base64url. */
const CURSOR_LENGTH = 18;

/**
 * Makes the cursor of a page: the id of the last item of the previous page. A checksum (CRC-32) binds it to its scope, so that
 * one that was changed, or moved to another collection or filter, is refused. It is no secret: a forged cursor shows
 * nothing that its API key may not see (ADR 0014).
 *
 * @param scope names the collection and its filters
 */
export function encodeCursor(afterId: bigint, scope: string): string {
  const bytes = Buffer.alloc(CONTENT_BYTES + CHECKSUM_BYTES);
  bytes.writeUInt8(VERSION, 0);
  bytes.writeBigInt64BE(afterId, 1);
  bytes.writeUInt32BE(checksumOf(bytes, scope), CONTENT_BYTES);
  return bytes.toString('base64url');
}

/** The id in a cursor; `undefined` if it is not the cursor of this scope. */
export function decodeCursor(cursor: string, scope: string): bigint | undefined {
  if (cursor.length !== CURSOR_LENGTH) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const isGenuine =
    bytes.length === CONTENT_BYTES + CHECKSUM_BYTES &&
    // One cursor has one spelling: Node's decoder ignores characters that are not base64.
    bytes.toString('base64url') === cursor &&
    bytes[0] === VERSION &&
    bytes.readUInt32BE(CONTENT_BYTES) === checksumOf(bytes, scope);
  return isGenuine ? bytes.readBigInt64BE(1) : undefined;
}

function checksumOf(bytes: Buffer, scope: string): number {
  return crc32(scope, crc32(bytes.subarray(0, CONTENT_BYTES)));
}
