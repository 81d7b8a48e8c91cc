import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../support/free-port.js';
import { MemoryCgroup } from '../support/memory-cgroup.js';

const ROOT = join(import.meta.dirname, '../..');
const LIMIT_MEBIBYTES = 512;
const START_TIMEOUT_MS = 25_000;

/**
 * The built service as in a pod of 512 MiB. If this user may create a memory cgroup, the service runs in one, and the kernel
 * ends the service when it uses more memory. Otherwise only the memory use is measured.
 */
export class MemoryLimitedServer {
  /** The number of logged bytes that have been read. */
  loggedBytes = 0;
  /** The output on standard error. */
  complaints = '';

  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
    private readonly group: MemoryCgroup | undefined,
  ) {}

  /**
   * @param variables added to the environment that the service needs for a start
   * @param readsLog whether the log of the service is read
   */
  static async start(variables: Record<string, string>, readsLog = true): Promise<MemoryLimitedServer> {
    const port = await freePort();
    const group = MemoryCgroup.create(`animal-store-${process.pid}-${port}`, LIMIT_MEBIBYTES);
    const program = [process.execPath, '--enable-source-maps', join(ROOT, 'dist/apps/api/src/main.js')];
    const child = spawn('sh', ['-c', `${group?.join ?? ''} exec "$@"`, 'sh', ...program], {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'production',
        PORT: String(port),
        ...variables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const server = new MemoryLimitedServer(port, child, group);
    if (readsLog) child.stdout.on('data', (chunk: Buffer) => (server.loggedBytes += chunk.length));
    child.stderr.on('data', (chunk: Buffer) => (server.complaints += chunk.toString()));
    await server.untilLive();
    return server;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The exit code or the signal that ended the service. */
  get ending(): string {
    return `${this.child.exitCode ?? this.child.signalCode ?? 'still running'} ${this.complaints}`;
  }

  /** The peak of the resident set of the service so far, in MiB. */
  get peakMebibytes(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+([0-9]+) kB/m.exec(status)?.[1]) / 1024;
  }

  async signal(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null> {
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    const [code, by] = (await ended) as [number | null, NodeJS.Signals | null];
    return code ?? by;
  }

  async stop(): Promise<void> {
    if (this.isRunning) await this.signal('SIGKILL');
    this.group?.remove();
  }

  private async untilLive(): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (this.isRunning && Date.now() < deadline) {
      const answer = await fetch(`http://127.0.0.1:${this.port}/health/live`).catch(() => undefined);
      if (answer?.ok === true) return;
      await delay(50);
    }
    throw new Error('The service did not start');
  }
}
