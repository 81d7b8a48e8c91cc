import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { FolderInUseError } from './folder-lock.js';
import { snapshotFolder, snapshotSocket, type SnapshotResponse } from './snapshot-place.js';

/** The files of an embedded database as they were at one moment, in a folder that is there until `release`. */
export interface Snapshot {
  readonly folder: string;
  /** For how long the server ran no statement, in milliseconds. */
  readonly milliseconds: number;
  release(): Promise<void>;
}

/**
 * Asks the process that has the database of this folder open for a copy.
 *
 * @throws FolderInUseError when it cannot be asked
 * @throws Error with what it says when it fails
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
  // The server ended: whoever reads the snapshot finds its files gone.
  socket.on('error', () => undefined);
  const answer = await answerOf(socket);
  if ('error' in answer) {
    socket.destroy();
    throw new SnapshotError(answer.error);
  }
  return {
    folder: join(snapshotFolder(dataDir), answer.snapshot),
    milliseconds: answer.milliseconds,
    release: async () => {
      const closed = once(socket, 'close');
      socket.destroy();
      await closed;
    },
  };
}

async function answerOf(socket: Socket): Promise<SnapshotResponse> {
  for await (const line of createInterface({ input: socket })) return JSON.parse(line) as SnapshotResponse;
  return { error: 'it was stopped' };
}

/** The server could not copy its files. */
export class SnapshotError extends Error {
  readonly kind = 'unavailable';

  constructor(reason: string) {
    super(`The server that has the embedded database open could not copy it: ${reason}`);
  }
}
