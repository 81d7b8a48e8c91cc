import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Resolves when all files and folders in the folder are written to disk. */
export async function flushFolder(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await flushFolder(path);
    else await flush(path);
  }
  await flush(folder);
}

/** Resolves when a file, or the list of files of a folder, is written to disk. */
export async function flush(path: string): Promise<void> {
  const file = await open(path, 'r').catch((error: unknown) => {
    // Windows cannot open folders, and does not need to flush them.
    if (process.platform !== 'win32') throw error;
  });
  try {
    await file?.sync();
  } finally {
    await file?.close();
  }
}
