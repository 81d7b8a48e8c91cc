import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { BrokenDataError, DataFolderError, EmbeddedDatabase } from './embedded-database.js';
import { FolderInUseError } from './folder-lock.js';

const { jest } = import.meta;

const FOLDER_LOCK = pathToFileURL(join(import.meta.dirname, 'folder-lock.ts')).href;

/** Takes the lock with the code of the service, prints the result, and runs until it is killed. */
const OTHER_PROCESS = `
  const { FolderLock } = await import(${JSON.stringify(FOLDER_LOCK)});
  try {
    globalThis.kept = FolderLock.acquire(process.argv[1]);
    console.log('locked');
  } catch (error) {
    console.log(error.message);
  }
  setInterval(() => {}, 1000);
`;

let folder: string;
let creation: ReturnType<typeof withoutDatabase>;
const children: ChildProcess[] = [];
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
  for (const child of children.splice(0)) await kill(child);
  for (const database of opened.splice(0)) await database.onApplicationShutdown();
  creation.mockRestore();
  rmSync(folder, { recursive: true });
});

async function open(path = folder): Promise<EmbeddedDatabase> {
  const database = await EmbeddedDatabase.open(path);
  opened.push(database);
  return database;
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

async function close(database: EmbeddedDatabase): Promise<void> {
  opened.splice(opened.indexOf(database), 1);
  await database.onApplicationShutdown();
}

/** Fails after the lock was taken. */
async function failToOpen(path: string): Promise<void> {
  creation.mockRejectedValueOnce(new Error('The files are broken'));
  await expect(EmbeddedDatabase.open(path)).rejects.toThrow('The files are broken');
}

/** Starts another process that tries to lock the folder. Resolves with the output of the process. */
async function startOther(): Promise<{ child: ChildProcess; said: string }> {
  const options = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning', '--input-type=module'];
  const child = spawn(process.execPath, [...options, '-e', OTHER_PROCESS, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: said.toString().trim() };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

describe('the embedded database', () => {
  test('makes its folder for its owner alone', async () => {
    const path = join(folder, 'new', 'data');
    await failToOpen(path);
    expect(modeOf(path)).toBe('700');
  });

  test('takes a folder that others could enter from them', async () => {
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, 'postgres'), { mode: 0o755 });
    await open();
    expect([folder, join(folder, 'postgres')].map(modeOf)).toEqual(['700', '700']);
  });

  test('leaves a folder that holds other things as it is, but for the database', async () => {
    writeFileSync(join(folder, 'notes.txt'), '');
    chmodSync(folder, 0o755);
    await open();
    expect([folder, join(folder, 'postgres')].map(modeOf)).toEqual(['755', '700']);
  });

  test('is given to nobody else while it is open, in words that name the folder and the way out', async () => {
    const database = await open();
    expect((await startOther()).said).toContain('is in use by another process');
    await expect(open()).rejects.toThrow(
      `The folder ${folder} is in use by another process. Stop that process, or choose another folder with DATA_DIR.`,
    );
    await close(database);
    expect((await startOther()).said).toBe('locked');
  });

  test('is not opened while another process has it, and free again when that was killed', async () => {
    const { child } = await startOther();
    await expect(open()).rejects.toThrow(FolderInUseError);
    await kill(child);
    await expect(open()).resolves.toBeInstanceOf(EmbeddedDatabase);
  });

  test('is refused in words that name the folder and the ways out where its files are broken', async () => {
    creation.mockRestore();
    mkdirSync(join(folder, 'postgres'));
    writeFileSync(join(folder, 'postgres/PG_VERSION'), '9\n');
    const error: unknown = await EmbeddedDatabase.open(folder).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(BrokenDataError);
    expect((error as Error).message).toMatch(
      new RegExp(`^The embedded database in ${folder} cannot be opened: its files are damaged, .*DATA_DIR\\.$`),
    );
  });

  test('is refused in words that name the folder where no files can be kept there', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    const error: unknown = await EmbeddedDatabase.open(file).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DataFolderError);
    expect((error as Error).message).toContain(`The folder ${file} cannot hold the embedded database`);
  });

  test('says that its folder is gone, once, when that was removed under it', async () => {
    const gone = Promise.withResolvers<string>();
    opened.push(await EmbeddedDatabase.open(folder, [], gone.resolve));
    renameSync(join(folder, 'postgres'), join(folder, 'elsewhere'));
    expect(await gone.promise).toContain(`The folder ${folder} of the embedded database is gone`);
    renameSync(join(folder, 'elsewhere'), join(folder, 'postgres'));
  });

  test('leaves its folder free when it cannot be opened', async () => {
    await failToOpen(folder);
    const { said } = await startOther();
    expect(said).toBe('locked');
  });
});
