/** A place in the log of a primary's changes, in bytes: the later the change, the larger. */
export type WalPosition = bigint;

/** Reads what PostgreSQL writes as `16/B374D848`: the upper and the lower 32 bits, in hexadecimal digits. */
export function parseWalPosition(text: string): WalPosition {
  const [upper = '', lower = ''] = text.split('/');
  return (BigInt(`0x${upper}`) << 32n) | BigInt(`0x${lower}`);
}
