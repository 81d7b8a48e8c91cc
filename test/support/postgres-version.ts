/** A PostgreSQL to run the tests on. */
export interface PostgresVersion {
  readonly major: number;
  /** The folder of its programs, where it is one that is there already. */
  readonly folder?: string;
}

/**
 * Reads `17`, or `15=/usr/lib/postgresql/15/bin`.
 *
 * @throws Error that tells what was expected
 */
export function parsePostgresVersion(text: string): PostgresVersion {
  const [, major, folder] = /^([1-9][0-9])(?:=(.+))?$/.exec(text) ?? [];
  if (major === undefined) {
    throw new Error(
      `"${text}" is no major version, as 17, nor one with the folder of its programs, as 15=/usr/lib/…/bin`,
    );
  }
  return { major: Number(major), ...(folder !== undefined && { folder }) };
}

/** The last of the versions, oldest first as npm lists them, that belongs to the major version. */
export function newestOfMajor(major: number, versions: readonly string[]): string {
  const newest = versions.findLast((version) => version.startsWith(`${major}.`));
  if (newest === undefined) {
    const majors = new Set(versions.map((version) => version.split('.')[0]));
    throw new Error(`npm has no PostgreSQL ${major}, only ${[...majors].join(', ')}`);
  }
  return newest;
}
