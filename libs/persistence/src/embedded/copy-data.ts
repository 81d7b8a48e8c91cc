import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** How many files are copied at a time: as many as the threads of Node that read and write files. */
const AT_ONCE = 4;

/** What a copy of the data is made of, beside the files of the database. */
const BESIDE = ['development-api-key'];

/**
 * Copies the folder of an embedded database, without what only the process that has it open needs, into one that does not exist yet,
 * which nobody else may enter. No block is written twice where the file system can share it. Nobody may change the database
 * meanwhile.
 *
 * @throws Error when the signal aborts, and what the file system says
 */
export async function copyData(from: string, to: string, signal?: AbortSignal): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  const files = BESIDE.filter((name) => existsSync(join(from, name))).map((name) => [join(from, name), join(to, name)]);
  await mirrorFolders(join(from, 'postgres'), join(to, 'postgres'), files);
  const copyNext = async () => {
    for (let file = files.pop(); file !== undefined; file = files.pop()) {
      signal?.throwIfAborted();
      const [source = '', destination = ''] = file;
      await copyFile(source, destination, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, copyNext));
}

/** Makes the folders. @param files gets what is in them, each as where it is and where it goes */
async function mirrorFolders(from: string, to: string, files: string[][]): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const path = [join(from, entry.name), join(to, entry.name)] as const;
    if (entry.isDirectory()) await mirrorFolders(...path, files);
    else if (entry.isFile()) files.push([...path]);
  }
}

/** Resolves when all files and folders in the folder are on the disk. */
export async function flushFolder(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await flushFolder(path);
    else await flush(path);
  }
  await flush(folder);
}

/** Resolves when a file, or which files a folder has, is on the disk. */
export async function flush(path: string): Promise<void> {
  const file = await open(path, 'r').catch((error: unknown) => {
    // Windows opens no folder, and needs no flush of one.
    if (process.platform !== 'win32') throw error;
  });
  try {
    await file?.sync();
  } finally {
    await file?.close();
  }
}
