/** A position in the write-ahead log of a primary, in bytes. Later changes have larger positions. */
export type WalPosition = bigint;

/** Parses a position such as `16/B374D848`: the upper and the lower 32 bits in hexadecimal digits. */
export function parseWalPosition(text: string): WalPosition {
  const [upper = '', lower = ''] = text.split('/');
  return (BigInt(`0x${upper}`) << 32n) | BigInt(`0x${lower}`);
}
