import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BufferedOutput, type BufferedOutputSettings } from './buffered-output.js';

const LAST_MS = 300;

/** Linux has a device that is always full. */
const onLinux = existsSync('/dev/full') ? describe : describe.skip;

let folder: string;
let lost: number[];
const opened: number[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
  lost = [];
});

afterEach(() => {
  for (const fd of opened.splice(0)) closeSync(fd);
  rmSync(folder, { recursive: true, force: true });
});

function outputTo(fd: number, settings: Partial<BufferedOutputSettings> = {}): BufferedOutput {
  return new BufferedOutput(fd, { maxBytes: 65_536, minBytes: 0, waitMs: 20, lastMs: LAST_MS, ...settings }, (lines) =>
    lost.push(lines),
  );
}

function open(path: string, flags: string | number): number {
  const fd = openSync(path, flags);
  opened.push(fd);
  return fd;
}

/** A pipe with its two ends. */
function pipe(): { reader: number; writer: number } {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { reader, writer: open(path, constants.O_WRONLY | constants.O_NONBLOCK) };
}

/** Reads what is in a pipe. @returns how much that was */
function bytesIn(reader: number): number {
  const target = Buffer.alloc(65_536);
  let total = 0;
  for (;;) {
    try {
      const read = readSync(reader, target);
      if (read === 0) return total;
      total += read;
    } catch {
      return total;
    }
  }
}

describe('the lines of the log on their way', () => {
  function file(settings: Partial<BufferedOutputSettings> = {}): { output: BufferedOutput; written: () => string } {
    const path = join(folder, 'log');
    return { output: outputTo(open(path, 'w'), settings), written: () => readFileSync(path, 'utf8') };
  }

  test('arrive in their order, whole, with every character', async () => {
    const { output, written } = file();
    const lines = Array.from({ length: 1_000 }, (_, index) => `${index} naïve 🐕\n`);
    for (const line of lines) output.write(line);
    await output.flush();
    expect(written()).toBe(lines.join(''));
  });

  test('wait for others for a moment, and no longer', async () => {
    const { output, written } = file({ minBytes: 1_000, waitMs: 50 });
    output.write('one\n');
    await delay(10);
    const before = written();
    await delay(200);
    expect([before, written()]).toEqual(['', 'one\n']);
  });

  test('arrive at once where there are enough of them', async () => {
    const { output, written } = file({ minBytes: 8, waitMs: 60_000 });
    output.write('one\n');
    output.write('two\n');
    await delay(100);
    expect(written()).toBe('one\ntwo\n');
  });

  test('arrive before the end of the process', () => {
    const { output, written } = file({ minBytes: 1_000 });
    output.write('last\n');
    output.flushSync();
    expect(written()).toBe('last\n');
  });

  test('keep no listener on the process once they are out', async () => {
    const before = process.listenerCount('exit');
    const { output } = file();
    output.write('one\n');
    const meanwhile = process.listenerCount('exit');
    await output.flush();
    expect([meanwhile - before, process.listenerCount('exit') - before]).toEqual([1, 0]);
  });
});

describe('lines that nobody reads', () => {
  test('are kept up to a bound, then counted, and told of once they are read', async () => {
    const { reader, writer } = pipe();
    const output = outputTo(writer, { maxBytes: 100_000 });
    const line = `${'a'.repeat(999)}\n`;
    for (let written = 0; written < 300; written += 1) {
      output.write(line);
      await delay(1);
    }
    expect(lost).toEqual([]);
    let read = 0;
    for (let looks = 0; looks < 25; looks += 1) {
      read += bytesIn(reader);
      await delay(20);
    }
    closeSync(reader);
    expect(lost).toHaveLength(1);
    expect(read / 1_000 + lost[0]!).toBe(300);
  });

  test('hold up neither who waits for them nor the end of the process for long', async () => {
    const { reader, writer } = pipe();
    const output = outputTo(writer);
    for (let written = 0; written < 120; written += 1) output.write(`${'a'.repeat(999)}\n`);
    const before = performance.now();
    await output.flush();
    output.write('last\n');
    output.flushSync();
    expect(performance.now() - before).toBeLessThan(2 * LAST_MS);
    closeSync(reader);
  });
});

describe('lines whose reader is gone', () => {
  test('hold up the end of the process for no moment', () => {
    const { reader, writer } = pipe();
    const output = outputTo(writer, { minBytes: 1_000 });
    closeSync(reader);
    output.write('last\n');
    const before = performance.now();
    output.flushSync();
    expect(performance.now() - before).toBeLessThan(LAST_MS);
  });

  test('are given up, those to come as well', async () => {
    const { reader, writer } = pipe();
    const output = outputTo(writer);
    closeSync(reader);
    output.write('one\n');
    await output.flush();
    const listeners = process.listenerCount('exit');
    output.write('two\n');
    expect(process.listenerCount('exit')).toBe(listeners);
  });
});

onLinux('lines for which there is no room', () => {
  test('are lost, and the process goes on', async () => {
    const output = outputTo(open('/dev/full', 'w'));
    output.write('one\n');
    await output.flush();
    output.write('two\n');
    await expect(output.flush()).resolves.toBeUndefined();
  });
});
