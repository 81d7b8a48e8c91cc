/** A unique id: 128 random bits as hex digits. `crypto.randomUUID` is not available on pages without TLS. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
