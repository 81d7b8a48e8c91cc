/** The server could not copy its files. */
export class SnapshotError extends Error {
  readonly kind = 'unavailable';

  constructor(reason: string) {
    super(`The server that has the embedded database open could not copy it: ${reason}`);
  }
}
