import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { DataDirError, EmbeddedDatabase } from './embedded-database.js';

const { jest } = import.meta;

let folder: string;
let creation: ReturnType<typeof withoutDatabase>;
const opened: EmbeddedDatabase[] = [];

/** What the folder is like does not depend on the database in it, which takes seconds to start: here it is a folder and no more. */
function withoutDatabase() {
  return jest.spyOn(PGlite, 'create').mockImplementation((options: unknown) => {
    mkdirSync((options as { dataDir: string }).dataDir, { recursive: true });
    return Promise.resolve({ close: () => Promise.resolve() } as never);
  });
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
  creation = withoutDatabase();
});

afterEach(async () => {
  for (const database of opened.splice(0)) await database.onApplicationShutdown();
  creation.mockRestore();
  rmSync(folder, { recursive: true });
});

async function open(path = folder): Promise<void> {
  opened.push(await EmbeddedDatabase.open(path));
}

describe('the embedded database', () => {
  test('makes its folder for its owner alone', async () => {
    const path = join(folder, 'new', 'data');
    await open(path);
    const modes = [path, join(path, 'postgres')].map((place) => (statSync(place).mode & 0o777).toString(8));
    expect(modes).toEqual(['700', '700']);
  });

  test('is given to nobody else while it is open, in words that name the folder and the way out', async () => {
    await open();
    await expect(open()).rejects.toThrow(
      `The folder ${folder} is in use by another process. Stop that process, or choose another folder with DATA_DIR.`,
    );
  });

  test('is not opened while another process has it, and free again when that was killed', async () => {
    const lock = `
      const file = new (require('node:sqlite').DatabaseSync)(process.argv[1] + '/lock');
      file.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
      console.log('locked');
      setInterval(() => file, 1000);`;
    const other = spawn(process.execPath, ['-e', lock, folder], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(other.stdout, 'data');
    await expect(open()).rejects.toThrow('is in use by another process');
    other.kill('SIGKILL');
    await once(other, 'exit');
    await expect(open()).resolves.toBeUndefined();
  });

  test('is refused in words that name the folder where its files are broken, and leaves the folder free', async () => {
    creation.mockRestore();
    mkdirSync(join(folder, 'postgres'));
    writeFileSync(join(folder, 'postgres/PG_VERSION'), '9\n');
    await expect(open()).rejects.toThrow(`The folder ${folder} cannot hold the embedded database`);
    creation = withoutDatabase();
    await expect(open()).resolves.toBeUndefined();
  });

  test('is refused in words that name the folder where no files can be kept there', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    const error: unknown = await open(file).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DataDirError);
    expect((error as Error).message).toContain(`The folder ${file} cannot hold the embedded database`);
  });
});
