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
 * Copies the files of an embedded database while it is open, for other processes of the same user; other users cannot open the
 * folder. Each connection to the socket gets one snapshot, which is removed when the connection ends.
 *
 * During the copy no statement runs, so the files are consistent. Statements wait, but the event loop is not blocked. The copy
 * contains all committed changes, and is opened as after a `kill -9`.
 */
export class Snapshots {
  private readonly logger = new Logger('EmbeddedDatabase');
  private readonly closing = new AbortController();
  private readonly sockets = new Set<Socket>();
  private readonly folder: string;
  private server: Server | undefined;
  /** Resolves after the last requested snapshot. Snapshots are made one after the other. */
  private turn: Promise<unknown> = Promise.resolve();
  private taken = 0;

  constructor(
    private readonly dataDir: string,
    private readonly pglite: PGlite,
  ) {
    this.folder = snapshotFolder(dataDir);
  }

  /** Resolves when snapshots can be requested. If they cannot, the database works without them, and a log line says so. */
  async listen(): Promise<void> {
    // Removes the files of a killed process. This process holds the lock of the folder.
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
      // The socket must not keep the process alive.
      server.unref();
      this.server = server;
    } catch (error) {
      server.close();
      this.logger.warn(`The embedded database can be copied only while no server runs: ${rootCauseMessage(error)}`);
    }
  }

  /** Resolves when no copy is running and none will start. */
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
    // A client that disconnects has its copy, or no longer needs it.
    socket.on('error', () => undefined);
    socket.resume();
    const disconnected = new AbortController();
    socket.on('close', () => {
      this.sockets.delete(socket);
      disconnected.abort();
    });
    const name = `${process.pid}-${++this.taken}`;
    const before = this.turn;
    this.turn = before.then(() => this.respond(socket, name, disconnected.signal));
    await this.turn;
    if (!disconnected.signal.aborted) await once(socket, 'close').catch(() => undefined);
    await rm(join(this.folder, name), { recursive: true, force: true });
  }

  private async respond(socket: Socket, name: string, disconnected: AbortSignal): Promise<void> {
    let response: SnapshotResponse;
    try {
      const signal = AbortSignal.any([disconnected, this.closing.signal]);
      response = { snapshot: name, milliseconds: await this.take(join(this.folder, name), signal) };
    } catch (error) {
      response = { error: rootCauseMessage(error) };
    }
    if (!socket.destroyed) socket.write(`${JSON.stringify(response)}\n`);
  }

  /** @returns how long no statement could run, in milliseconds */
  private take(to: string, signal: AbortSignal): Promise<number> {
    return this.pglite.runExclusive(async () => {
      const began = performance.now();
      signal.throwIfAborted();
      await copyData(this.dataDir, to, signal);
      return Math.round(performance.now() - began);
    });
  }
}
