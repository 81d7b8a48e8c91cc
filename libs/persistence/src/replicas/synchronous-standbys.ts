/** PostgreSQL, "synchronous_standby_names": `FIRST 2 (a, b)`, `ANY 2 (a, b)`, `2 (a, b)`, or `a, b`, which is `FIRST 1 (a, b)`. */
const COUNTED = /^\s*(?:(?:first|any)\s+)?(?<count>\d+)\s*\((?<names>.*)\)\s*$/is;

/** The prefixes that cluster managers put before the name of a standby to name its slot: none (Patroni), or that of CloudNativePG. */
const SLOT_PREFIXES = ['', '_cnpg_'];

/** The standbys for which commits wait: they show a commit before the primary acknowledges it. */
export class SynchronousStandbys {
  private constructor(
    private readonly count: number,
    private readonly names: readonly string[],
  ) {}

  /**
   * @param commit `synchronous_commit` of the primary
   * @param names its `synchronous_standby_names`
   * @returns `undefined` if commits do not wait until a standby shows them
   */
  static of(commit: unknown, names: unknown): SynchronousStandbys | undefined {
    if (commit !== 'remote_apply' || typeof names !== 'string' || names.trim() === '') return undefined;
    const counted = COUNTED.exec(names)?.groups;
    const listed = (counted?.['names'] ?? names).split(',').map((name) => name.trim().replace(/^"|"$/g, ''));
    return new SynchronousStandbys(Number(counted?.['count'] ?? 1), listed);
  }

  /**
   * Whether every commit waits for this standby.
   *
   * @param slot the name of its replication slot, because only a superuser can read the name of the standby
   * @param replicas the number of replicas; with the name `*`, commits must wait for as many
   */
  waitFor(slot: string, replicas: number): boolean {
    if (this.names.includes('*')) return this.count >= replicas;
    // If commits wait for only some of the standbys, it is unknown for which.
    if (this.count < this.names.length) return false;
    return this.names.some((name) => SLOT_PREFIXES.some((prefix) => slot === prefix + asSlot(name)));
  }
}

/** Slots have only lower-case letters, digits and underscores. */
function asSlot(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9_]/g, '_');
}
