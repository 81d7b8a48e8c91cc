import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { once } from 'node:events';
import type { PGlite } from '@electric-sql/pglite';
import { Logger } from '@nestjs/common';
import { rootCauseMessage } from '../errors/root-cause-message.js';
import { copyData } from './copy-data.js';
import { snapshotFolder, snapshotSocket, type SnapshotResponse } from './snapshot-place.js';

/**
 * Copies the files of an embedded database while it is open, for other processes of the same user: nobody else can open the
 * folder. Who connects to the socket gets one snapshot, which is removed when the connection ends.
 *
 * While the files are copied no statement runs, so that they are those of one moment; statements that come meanwhile wait, and
 * the event loop does not. Whoever opens the copy finds what was committed, as after a `kill -9`.
 */
export class Snapshots {
  private readonly logger = new Logger('EmbeddedDatabase');
  private readonly closing = new AbortController();
  private readonly sockets = new Set<Socket>();
  private readonly folder: string;
  private server: Server | undefined;
  /** The snapshot under way or, when there is none, the end of the latest: one is taken after the other. */
  private turn: Promise<unknown> = Promise.resolve();
  private taken = 0;

  constructor(
    private readonly dataDir: string,
    private readonly pglite: PGlite,
  ) {
    this.folder = snapshotFolder(dataDir);
  }

  /** Resolves when others can ask. Where that is not possible the database works all the same, and the log says so. */
  async listen(): Promise<void> {
    // What a process left behind that was killed. The lock of the folder is ours.
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder, { mode: 0o700 });
    const address = snapshotSocket(this.dataDir);
    if (address === undefined) {
      this.logger.debug(
        'The embedded database can be copied only while no server runs: its folder has too long a name',
      );
      return;
    }
    const server = createServer((socket) => {
      void this.serve(socket);
    });
    try {
      server.listen(address);
      await once(server, 'listening');
      chmodSync(address, 0o600);
      // Nothing shall keep the process alive on its account.
      server.unref();
      this.server = server;
    } catch (error) {
      server.close();
      this.logger.warn(`The embedded database can be copied only while no server runs: ${rootCauseMessage(error)}`);
    }
  }

  /** Resolves when no file is being copied and none will be. */
  async close(): Promise<void> {
    this.closing.abort();
    this.server?.close();
    for (const socket of this.sockets) socket.destroy();
    await this.turn;
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async serve(socket: Socket): Promise<void> {
    this.sockets.add(socket);
    socket.unref();
    // Who goes away has what it wanted, or does not want it any more.
    socket.on('error', () => undefined);
    socket.resume();
    const gone = new AbortController();
    socket.on('close', () => {
      this.sockets.delete(socket);
      gone.abort();
    });
    const name = `${process.pid}-${++this.taken}`;
    const before = this.turn;
    this.turn = before.then(() => this.answer(socket, name, gone.signal));
    await this.turn;
    if (!gone.signal.aborted) await once(socket, 'close').catch(() => undefined);
    await rm(join(this.folder, name), { recursive: true, force: true });
  }

  private async answer(socket: Socket, name: string, gone: AbortSignal): Promise<void> {
    let answer: SnapshotResponse;
    try {
      const signal = AbortSignal.any([gone, this.closing.signal]);
      answer = { snapshot: name, milliseconds: await this.take(join(this.folder, name), signal) };
    } catch (error) {
      answer = { error: rootCauseMessage(error) };
    }
    if (!socket.destroyed) socket.write(`${JSON.stringify(answer)}\n`);
  }

  /** @returns for how long no statement could run, in milliseconds */
  private take(to: string, signal: AbortSignal): Promise<number> {
    return this.pglite.runExclusive(async () => {
      const began = performance.now();
      signal.throwIfAborted();
      await copyData(this.dataDir, to, signal);
      return Math.round(performance.now() - began);
    });
  }
}
