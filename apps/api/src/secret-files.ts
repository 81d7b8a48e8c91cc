import { readFileSync } from 'node:fs';

/** Variables with secrets. Each may also come from a file, whose path is in `NAME_FILE`. */
export const SECRETS = ['DATABASE_URL', 'DATABASE_REPLICA_URLS', 'BOOTSTRAP_API_KEY'] as const;

/** @param set gets the secrets from the files */
export function readSecretFiles(set: NodeJS.ProcessEnv): { faults: string[]; unreadable: Set<string> } {
  const faults: string[] = [];
  const unreadable = new Set<string>();
  for (const name of SECRETS) {
    const file = set[`${name}_FILE`];
    if (file === undefined) continue;
    if (set[name] !== undefined) faults.push(`${name} and ${name}_FILE are both set: keep one`);
    try {
      set[name] = readFileSync(file, 'utf8').trim();
    } catch {
      faults.push(`${name}_FILE names a file that cannot be read`);
      unreadable.add(name);
    }
  }
  return { faults, unreadable };
}
