import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The file of the first page. */
export const INDEX = 'README.md';

/** The pages of the guide in Markdown, by their file names. */
export type GuideSources = ReadonlyMap<string, string>;

/** Reads the pages of a folder; no pages if the folder does not exist. */
export async function readGuide(folder: string | undefined): Promise<GuideSources> {
  if (folder === undefined) return new Map();
  const names = await readdir(folder).catch(() => []);
  const pages = names.filter((name) => name.endsWith('.md')).sort();
  return new Map(
    await Promise.all(pages.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}
