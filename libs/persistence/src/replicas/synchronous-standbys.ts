/** PostgreSQL, "synchronous_standby_names": `FIRST 2 (a, b)`, `ANY 2 (a, b)`, `2 (a, b)`, or `a, b`, which is `FIRST 1 (a, b)`. */
const COUNTED = /^\s*(?:(?:first|any)\s+)?(?<count>\d+)\s*\((?<names>.*)\)\s*$/is;

/** How the slot of a standby is called where a cluster manager makes it: as the standby (Patroni), or so (CloudNativePG). */
const SLOT_PREFIXES = ['', '_cnpg_'];

/** The standbys that show a commit before the primary acknowledges it. */
export class SynchronousStandbys {
  private constructor(
    private readonly count: number,
    private readonly names: readonly string[],
  ) {}

  /**
   * @param commit `synchronous_commit` of the primary
   * @param names its `synchronous_standby_names`
   * @returns `undefined` where a commit is acknowledged before a standby shows it
   */
  static of(commit: unknown, names: unknown): SynchronousStandbys | undefined {
    if (commit !== 'remote_apply' || typeof names !== 'string' || names.trim() === '') return undefined;
    const counted = COUNTED.exec(names)?.groups;
    const listed = (counted?.['names'] ?? names).split(',').map((name) => name.trim().replace(/^"|"$/g, ''));
    return new SynchronousStandbys(Number(counted?.['count'] ?? 1), listed);
  }

  /**
   * Whether every commit waits for a standby.
   *
   * @param slot the name of its replication slot: what it is called by itself only a superuser may ask
   * @param replicas how many replicas there are: so many must be waited for where the names are `*`
   */
  waitFor(slot: string, replicas: number): boolean {
    if (this.names.includes('*')) return this.count >= replicas;
    // Where fewer are waited for than there are, nobody can tell which.
    if (this.count < this.names.length) return false;
    return this.names.some((name) => SLOT_PREFIXES.some((prefix) => slot === prefix + asSlot(name)));
  }
}

/** A slot has small letters, digits and underscores alone. */
function asSlot(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9_]/g, '_');
}
