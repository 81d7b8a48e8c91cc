import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Command } from 'commander';
import { exitCodeOf, sentenceOf } from '../../apps/api/src/cli/failures.js';
import { readEnvironment } from '../../apps/api/src/environment.js';
import { copyProgram } from '../../apps/api/src/transfer/copy-program.js';
import { readExportFile, writeExportFile } from '../../apps/api/src/transfer/export-file.js';
import { exportProgram } from '../../apps/api/src/transfer/export-program.js';
import { importProgram } from '../../apps/api/src/transfer/import-program.js';
import type { TransferHost } from '../../apps/api/src/transfer/transfer-program.js';
import '../support/one-realm.js';

const AWAY = { DATABASE_URL: 'postgresql://me:s3cret@127.0.0.1:1/none' };

const PROGRAMS = { 'db:export': exportProgram, 'db:import': importProgram, 'db:copy': copyProgram };

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The exit code of a command with these arguments, and all its output. */
async function ended(command: keyof typeof PROGRAMS, variables: Record<string, string>, ...words: string[]) {
  const told: string[] = [];
  const host: TransferHost = {
    environment: () => readEnvironment({ NODE_ENV: 'test', ...variables }),
    tell: (sentence) => told.push(sentence),
    signal: new AbortController().signal,
  };
  const program: Command = PROGRAMS[command](host);
  const keep = (text: string) => told.push(text);
  program.configureOutput({ writeOut: keep, writeErr: keep });
  try {
    await program.parseAsync(words, { from: 'user' });
    return { code: 0, told: told.join('\n') };
  } catch (error) {
    return { code: exitCodeOf(error), told: [...told, sentenceOf(error)].join('\n') };
  }
}

describe('the commands that move data', () => {
  test.each(['db:export', 'db:import', 'db:copy'] as const)(
    'explain themselves without a database: %s',
    async (command) => {
      const { code, told } = await ended(command, AWAY, '--help');
      expect(code).toBe(0);
      expect(told).toContain(`Usage: ${command}`);
      expect(told).toContain('Exit codes: 0 done');
    },
  );

  test.each([
    ['db:export', [], 64, "required option '-o, --output <file>'"],
    ['db:import', [], 64, "missing required argument 'file'"],
    ['db:export', ['--output', 'FOLDER/file'], 69, 'The database is not available'],
    ['db:import', ['FOLDER/text'], 69, 'The database is not available'],
    ['db:import', ['--check', 'FOLDER/none'], 1, 'no such file'],
    ['db:import', ['--check', 'FOLDER/empty'], 1, 'is not a whole export: its end is missing'],
    ['db:import', ['--check', 'FOLDER/text'], 1, 'is not a whole export: its last line is cut off'],
    ['db:import', ['--check', 'FOLDER/gzip'], 1, 'is not a whole export: its compression is damaged or cut off'],
    ['db:copy', ['FOLDER/copy'], 78, 'DATABASE_URL must not be set'],
  ] as const)('%s %j ends with %i, and leaves no file', async (command, words, expected, reason) => {
    writeFileSync(join(folder, 'empty'), '');
    writeFileSync(join(folder, 'text'), 'no export');
    writeFileSync(join(folder, 'gzip'), Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1]));
    const { code, told } = await ended(command, AWAY, ...words.map((word) => word.replace('FOLDER', folder)));
    expect({ code, told }).toEqual({ code: expected, told: expect.stringContaining(reason) as string });
    expect(told).not.toContain('s3cret');
    expect(readdirSync(folder).sort()).toEqual(['empty', 'gzip', 'text']);
  });

  test.each(['db:export', 'db:copy'] as const)('make no database where there is none: %s', async (command) => {
    const words = command === 'db:copy' ? [] : ['--output'];
    const { code, told } = await ended(command, { DATA_DIR: join(folder, 'mistyped') }, ...words, join(folder, 'copy'));
    expect(code).toBe(1);
    expect(told).toContain('There is no embedded database in the folder');
    expect(existsSync(join(folder, 'mistyped'))).toBe(false);
  });

  test('write over no file that is there', async () => {
    writeFileSync(join(folder, 'kept'), 'kept');
    const { code, told } = await ended('db:export', AWAY, '--output', join(folder, 'kept'));
    expect(code).toBe(1);
    expect(told).toContain('is there already. Name another file, or add --overwrite.');
  });
});

describe('the file of an export', () => {
  const never = new AbortController().signal;

  test('is compressed, its owner’s alone, and holds what was written', async () => {
    const path = join(folder, 'file');
    await writeExportFile(path, { overwrite: false, signal: never }, async (write) => {
      for (let count = 0; count < 100; count += 1) await write(Buffer.alloc(10_000, String(count % 10)));
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of readExportFile(path, never)) chunks.push(chunk);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(Buffer.concat(chunks)).toHaveLength(1_000_000);
    expect(readdirSync(folder)).toEqual(['file']);
  });

  test('is not there when what writes it fails, and the one before stays', async () => {
    const path = join(folder, 'file');
    writeFileSync(path, 'before');
    const failing = writeExportFile(path, { overwrite: true, signal: never }, async (write) => {
      await write(Buffer.from('half'));
      throw new Error('The database went away');
    });
    await expect(failing).rejects.toThrow('The database went away');
    expect(readdirSync(folder)).toEqual(['file']);
    expect(readFileSync(path, 'utf8')).toBe('before');
  });

  test('is not there when somebody ends the command', async () => {
    const ending = new AbortController();
    const path = join(folder, 'file');
    const writing = writeExportFile(path, { overwrite: false, signal: ending.signal }, async (write) => {
      for (;;) {
        await write(Buffer.alloc(1_000_000));
        ending.abort(new Error('It was ended by SIGINT'));
      }
    });
    await expect(writing).rejects.toThrow('It was ended by SIGINT');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('says why it cannot be written', async () => {
    const path = join(folder, 'no', 'file');
    const writing = writeExportFile(path, { overwrite: false, signal: never }, async (write) => {
      for (;;) await write(Buffer.alloc(100_000));
    });
    await expect(writing).rejects.toThrow('ENOENT');
  });
});
