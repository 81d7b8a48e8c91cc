import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The number of files that are copied at the same time: as many as Node has threads for files. */
const AT_ONCE = 4;

/** The files that a copy has in addition to those of the database. */
const OTHER_FILES = ['development-api-key'];

/**
 * Copies the folder of an embedded database into a new folder that only this user can enter, without the files that only the
 * running process needs. If the file system supports it, copies share blocks. The database must not change during the copy.
 *
 * @throws Error if the signal aborts, and the errors of the file system
 */
export async function copyData(from: string, to: string, signal?: AbortSignal): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  const files = OTHER_FILES.filter((name) => existsSync(join(from, name))).map((name) => [
    join(from, name),
    join(to, name),
  ]);
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

/** Creates the folders. @param files their files are added, each as a pair of source and destination */
async function mirrorFolders(from: string, to: string, files: string[][]): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const path = [join(from, entry.name), join(to, entry.name)] as const;
    if (entry.isDirectory()) await mirrorFolders(...path, files);
    else if (entry.isFile()) files.push([...path]);
  }
}
