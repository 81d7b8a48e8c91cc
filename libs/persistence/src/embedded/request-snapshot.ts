import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { FolderInUseError } from './folder-lock.js';
import { SnapshotError } from './snapshot.error.js';
import { snapshotFolder, snapshotSocket, type SnapshotResponse } from './snapshot-place.js';

/** The files of an embedded database at one point in time, in a folder that exists until `release`. */
export interface Snapshot {
  readonly folder: string;
  /** How long the server ran no statements, in milliseconds. */
  readonly milliseconds: number;
  release(): Promise<void>;
}

/**
 * Requests a copy from the process that has the database of this folder open.
 *
 * @throws FolderInUseError if the process cannot be reached
 * @throws SnapshotError if the process could not make the copy
 */
export async function requestSnapshot(dataDir: string): Promise<Snapshot> {
  const address = snapshotSocket(dataDir);
  if (address === undefined) throw new FolderInUseError(dataDir);
  const socket = connect(address);
  try {
    await once(socket, 'connect');
  } catch {
    throw new FolderInUseError(dataDir);
  }
  // If the server ends, it removes the files of the snapshot, and reading them fails.
  socket.on('error', () => undefined);
  const response = await responseOf(socket);
  if ('error' in response) {
    socket.destroy();
    throw new SnapshotError(response.error);
  }
  return {
    folder: join(snapshotFolder(dataDir), response.snapshot),
    milliseconds: response.milliseconds,
    release: async () => {
      const closed = once(socket, 'close');
      socket.destroy();
      await closed;
    },
  };
}

async function responseOf(socket: Socket): Promise<SnapshotResponse> {
  for await (const line of createInterface({ input: socket })) return JSON.parse(line) as SnapshotResponse;
  return { error: 'it was stopped' };
}
