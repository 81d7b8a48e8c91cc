import { hash } from 'node:crypto';
import type { ApiKey } from './api-keys.js';

/** The holder of the key that the environment gives. */
export const BOOTSTRAP_HOLDER = 'bootstrap';

/** What a name must not look like to stand for its holder. */
const RESERVED = new RegExp(`^(?:${BOOTSTRAP_HOLDER}$|lineage:|name:)`);

/**
 * Names the holder of a key for good: it is the same for a key and those that it was rotated to, and for no other key. It is
 * the lineage; a key without one is older than lineages are, and goes on by its name, as what was done with it then does.
 */
export function holderOf({ name, lineageId }: Pick<ApiKey, 'name' | 'lineageId'>): string {
  if (lineageId !== undefined) return `lineage:${lineageId}`;
  return RESERVED.test(name) ? `name:${hash('sha256', name, 'hex')}` : name;
}
