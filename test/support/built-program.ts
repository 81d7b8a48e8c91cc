import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { isAbsolute, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '../..');
const START_TIMEOUT_MS = 25_000;

/** The tests start programs some hundred times, so code that Node has compiled once is cached for the next start. */
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/compiled');

/** What runs. No program outlives the tests of its file, also where a test failed before it ended what it started. */
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** A program of the build that runs in its own process. */
export class BuiltProgram {
  private output = '';
  private written = '';
  private readonly process: ChildProcess;
  private readonly left: Promise<number | NodeJS.Signals | null>;
  private readonly exited: Promise<number | NodeJS.Signals | null>;

  /**
   * @param program a program of the build of this checkout, or the absolute path of another program
   * @param variables the environment; the program inherits no variable of the tests except `PATH`
   */
  constructor(
    program: 'main' | 'cli/migrate' | 'cli/keys' | 'cli/openapi' | `/${string}`,
    variables: Record<string, string>,
    args: string[] = [],
    nodeOptions: string[] = [],
  ) {
    const file = isAbsolute(program) ? program : join(ROOT, `dist/apps/api/src/${program}.js`);
    this.process = spawn(process.execPath, [...nodeOptions, file, ...args], {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        LOG_LEVEL: 'silent',
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        ...variables,
      },
    });
    running.add(this.process);
    this.process.once('exit', () => running.delete(this.process));
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    }
    this.process.stdout?.on('data', (chunk: Buffer) => (this.written += chunk.toString()));
    const codeOf = ([code, signal]: unknown[]) => (code ?? signal) as number | NodeJS.Signals | null;
    this.left = once(this.process, 'exit').then(codeOf);
    this.exited = once(this.process, 'close').then(codeOf);
  }

  get pid(): number {
    if (this.process.pid === undefined) throw new Error('It could not be started');
    return this.process.pid;
  }

  /** The output so far, on standard output and standard error. */
  get printed(): string {
    return this.output;
  }

  /** The output so far on standard output only. */
  get standardOutput(): string {
    return this.written;
  }

  /** Stops reading the standard output: as soon as the pipe is full, the program cannot write to standard output. */
  stopReading(): void {
    this.process.stdout?.pause();
  }

  /** Closes the pipe of the standard output: from then on, the program gets EPIPE when it writes to standard output. */
  closeOutput(): void {
    this.process.stdout?.destroy();
  }

  readOn(): void {
    this.process.stdout?.resume();
  }

  /** Resolves with the address of the program as soon as it listens. */
  async listening(timeoutMs = START_TIMEOUT_MS): Promise<string> {
    const [, url = ''] = await this.untilPrinted(/listening on ([^\s"]+)/, timeoutMs);
    return url;
  }

  /** Resolves as soon as the program has printed this, and fails if it ends without it. */
  async untilPrinted(wanted: RegExp, timeoutMs = START_TIMEOUT_MS): Promise<RegExpExecArray> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const found = wanted.exec(this.output);
      if (found !== null) return found;
      if (this.process.exitCode !== null || Date.now() > deadline)
        throw new Error(`It did not print ${wanted}: ${this.output}`);
      await delay(20);
    }
  }

  /** Resolves with the exit code when the program has exited, even if some of its output was not read. */
  exitCode(): Promise<number | NodeJS.Signals | null> {
    return this.left;
  }

  /** Resolves with the exit code when the program has exited and all of its output was read. */
  ended(): Promise<number | NodeJS.Signals | null> {
    return this.exited;
  }

  signal(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    this.process.kill(signal);
    await this.exited;
  }
}
