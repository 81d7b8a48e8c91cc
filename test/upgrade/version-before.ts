import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The last released version: it serves while this version is deployed, and a rollback returns to it. */
export interface VersionBefore {
  readonly version: string;
  /** The full hash of its commit. */
  readonly commit: string;
  /** The names of its migrations. */
  readonly migrations: readonly string[];
}

export const VERSION_BEFORE_FILE = join(import.meta.dirname, 'version-before.json');

export function readVersionBefore(): VersionBefore {
  return JSON.parse(readFileSync(VERSION_BEFORE_FILE, 'utf8')) as VersionBefore;
}
