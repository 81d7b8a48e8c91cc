/** A PostgreSQL version on which to run the tests. */
export interface PostgresVersion {
  readonly major: number;
  /** The folder of its programs, if they are already installed. */
  readonly folder?: string;
}

/**
 * Parses `17`, or `15=/usr/lib/postgresql/15/bin`.
 *
 * @throws Error with the expected format
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

/** The newest version of the major version. npm lists the versions from oldest to newest. */
export function newestOfMajor(major: number, versions: readonly string[]): string {
  const newest = versions.findLast((version) => version.startsWith(`${major}.`));
  if (newest === undefined) {
    const majors = new Set(versions.map((version) => version.split('.')[0]));
    throw new Error(`npm has no PostgreSQL ${major}, only ${[...majors].join(', ')}`);
  }
  return newest;
}
