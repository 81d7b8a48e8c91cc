import { hash } from 'node:crypto';
import type { ApiKey } from './stored-api-key.js';

/** The holder of the key that an environment variable sets. */
export const BOOTSTRAP_HOLDER = 'bootstrap';

/** Names that could be mistaken for another kind of holder. */
const RESERVED = new RegExp(`^(?:${BOOTSTRAP_HOLDER}$|lineage:|name:)`);

/**
 * The permanent id of a key's holder. A key and the keys that it was rotated to have the same holder; no other key has it. The
 * id is the lineage. A key without a lineage was created before lineages existed: its id is its name, as it was then.
 */
export function holderOf({ name, lineageId }: Pick<ApiKey, 'name' | 'lineageId'>): string {
  if (lineageId !== undefined) return `lineage:${lineageId}`;
  return RESERVED.test(name) ? `name:${hash('sha256', name, 'hex')}` : name;
}
