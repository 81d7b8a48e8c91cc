import { join, relative } from 'node:path';

/** Where the process that has an embedded database open keeps its snapshots, and is asked for them. */
export function snapshotFolder(dataDir: string): string {
  return join(dataDir, 'snapshots');
}

/** The longest address that a Unix socket may have on every system, in bytes. */
const LONGEST_ADDRESS = 103;

/**
 * The address of the socket in that folder, as short as it can be said.
 *
 * @returns undefined where there can be none: its address is too long, or the system has no such sockets
 */
export function snapshotSocket(dataDir: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const path = join(snapshotFolder(dataDir), 'socket');
  const addresses = [path, relative('', path)];
  return addresses.find((address) => Buffer.byteLength(address) <= LONGEST_ADDRESS);
}

/** What the process answers, as a line of JSON. */
export type SnapshotResponse =
  /** The name of the folder in {@link snapshotFolder}, which is there until the connection ends, and how long others waited. */
  { readonly snapshot: string; readonly milliseconds: number } | { readonly error: string };
