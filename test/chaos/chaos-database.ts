import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { migrateServer } from '@animal-store/persistence';
import { freePort } from '../support/free-port.js';
import { binaries, run, unprivilegedUser, untilReady } from '../support/postgres-server.js';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.js';
import { withClient } from '../support/database-client.js';
import type { ProcessFaults } from './process-faults.js';

/** Large enough for a run of hours, and small enough that both disks fit into memory. */
const DATA_MEGABYTES = 768;
const WAL_MEGABYTES = 320;

/** How often a supervisor starts PostgreSQL before it gives up. */
const MOST_STARTS = 10;
const START_AGAIN_MS = 500;
const ANSWERS_WITHIN_MS = 5_000;

/** What is missing for a full disk, and how to get it; `undefined` if nothing is missing. */
export const WITHOUT_MOUNT = findMount();

function findMount(): string | undefined {
  const trial = mountSmallDisk(1);
  trial?.remove();
  return trial === undefined ? 'a disk of its own needs root and Linux: run it as root' : undefined;
}

function mounted(megabytes: number): SmallDisk {
  return mountSmallDisk(megabytes)!;
}

/** A PostgreSQL server that keeps every commit that it has acknowledged. Its data and its log each have a small disk of their own. */
export class ChaosDatabase {
  private process: ChildProcess | undefined;

  private constructor(
    private readonly bin: string,
    private readonly port: number,
    /** The file of the server log. */
    private readonly log: string,
    readonly dataFolder: string,
    readonly walFolder: string,
    private readonly disks: readonly SmallDisk[],
    readonly faults: ProcessFaults,
  ) {}

  /** Starts a server with a migrated database. */
  static async start(folder: string, faults: ProcessFaults): Promise<ChaosDatabase> {
    const owner = unprivilegedUser();
    const bin = binaries(folder, owner);
    const disks = WITHOUT_MOUNT === undefined ? [DATA_MEGABYTES, WAL_MEGABYTES].map(mounted) : [];
    const [data, wal] = ['data', 'wal'].map((name, index) => disks[index]?.folder ?? join(folder, name)) as [
      string,
      string,
    ];
    const database = new ChaosDatabase(bin, await freePort(), join(folder, 'database.log'), data, wal, disks, faults);
    for (const path of [database.cluster, database.wal]) {
      mkdirSync(path, { mode: 0o700, recursive: true });
      if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
    }
    const words = ['-D', database.cluster, '--waldir', database.wal, '-U', 'postgres', '-A', 'trust'];
    await run(join(bin, 'initdb'), [...words, '-E', 'UTF8', '--no-locale', '--no-sync'], owner);
    await database.start();
    await migrateServer(database.url);
    return database;
  }

  get url(): string {
    return `postgresql://postgres@127.0.0.1:${this.port}/postgres`;
  }

  /** Stops the server at once, as a crash does: running statements are lost, and the next start replays the log. */
  async crash(): Promise<void> {
    if (this.process === undefined || this.hasEnded) return;
    const exited = once(this.process, 'exit');
    this.process.kill('SIGQUIT');
    const killing = setTimeout(() => this.process?.kill('SIGKILL'), ANSWERS_WITHIN_MS);
    await exited;
    clearTimeout(killing);
  }

  async start(): Promise<void> {
    const settings = [
      // Prevents a checkpoint while a test fills the disk: PostgreSQL would exit, but without a checkpoint it only refuses writes.
      'checkpoint_timeout=30min',
      'min_wal_size=32MB',
      'max_wal_size=96MB',
      'max_connections=100',
      'listen_addresses=127.0.0.1',
      `port=${this.port}`,
      'unix_socket_directories=',
    ];
    const log = openSync(this.log, 'a');
    this.process = spawn(
      join(this.bin, 'postgres'),
      ['-D', this.cluster, ...settings.flatMap((setting) => ['-c', setting])],
      { ...unprivilegedUser(), stdio: ['ignore', log, log], env: { ...process.env, ...this.faults.environment } },
    );
    closeSync(log);
    await untilReady(this.url, this.process);
  }

  /**
   * Acts as a supervisor: starts the server if it has exited, or if it runs and does not answer. PostgreSQL 18 runs without an answer if
   * it cannot write its log during recovery: the recovery process exits, and the other processes wait for it, with or without free space.
   */
  async ensureRunning(): Promise<void> {
    for (let tries = 1; tries <= MOST_STARTS; tries++) {
      if (await this.answersWithin(ANSWERS_WITHIN_MS)) return;
      await this.crash();
      await this.start().catch(() => delay(START_AGAIN_MS));
    }
    throw new Error(`PostgreSQL does not start: ${this.lastLines}`);
  }

  async remove(): Promise<void> {
    await this.crash();
    for (const disk of this.disks) disk.remove();
  }

  private async answersWithin(ms: number): Promise<boolean> {
    const deadline = performance.now() + ms;
    while (performance.now() < deadline && !this.hasEnded) {
      const isThere = await withClient(this.url, () => Promise.resolve(true)).catch(() => false);
      if (isThere) return true;
      await delay(50);
    }
    return false;
  }

  private get lastLines(): string {
    return readFileSync(this.log, 'utf8').split('\n').slice(-10).join('\n');
  }

  private get cluster(): string {
    return join(this.dataFolder, 'cluster');
  }

  private get wal(): string {
    return join(this.walFolder, 'pg_wal');
  }

  private get hasEnded(): boolean {
    return this.process?.exitCode !== null || this.process.signalCode !== null;
  }
}

const CHUNK = Buffer.alloc(1024 ** 2);
const BALLAST = 'ballast';

/** Fills the disk of a folder completely. */
export function fillDisk(folder: string): void {
  const file = openSync(join(folder, BALLAST), 'w');
  try {
    // Only a part of the last chunk may fit.
    for (let size = CHUNK.length; size >= 512;) {
      try {
        writeSync(file, CHUNK, 0, size);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        size /= 2;
      }
    }
  } finally {
    closeSync(file);
  }
}

export function clearDisk(folder: string): void {
  rmSync(join(folder, BALLAST), { force: true });
}
