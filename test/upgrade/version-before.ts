import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version that was released last: the one that serves while this one is brought in, and that one may have to go back to. */
export interface VersionBefore {
  readonly version: string;
  /** Its commit, in full. */
  readonly commit: string;
  /** The names of its migrations. */
  readonly migrations: readonly string[];
}

export const VERSION_BEFORE_FILE = join(import.meta.dirname, 'version-before.json');

export function readVersionBefore(): VersionBefore {
  return JSON.parse(readFileSync(VERSION_BEFORE_FILE, 'utf8')) as VersionBefore;
}
