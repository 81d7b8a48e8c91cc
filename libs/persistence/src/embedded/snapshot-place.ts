import { join, relative } from 'node:path';

/** The folder of the snapshots and of the socket for requesting them. */
export function snapshotFolder(dataDir: string): string {
  return join(dataDir, 'snapshots');
}

/** The greatest length of a Unix socket's address that all systems support, in bytes. */
const LONGEST_ADDRESS = 103;

/**
 * The address of the socket: the absolute path, or the relative path if the absolute path is too long.
 *
 * @returns `undefined` if both are too long, or if the system has no Unix sockets
 */
export function snapshotSocket(dataDir: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const path = join(snapshotFolder(dataDir), 'socket');
  const addresses = [path, relative('', path)];
  return addresses.find((address) => Buffer.byteLength(address) <= LONGEST_ADDRESS);
}

/** The response of the process, as a line of JSON. */
export type SnapshotResponse =
  /** The name of a folder in {@link snapshotFolder}, which exists until the connection ends, and how long statements waited. */
  { readonly snapshot: string; readonly milliseconds: number } | { readonly error: string };
