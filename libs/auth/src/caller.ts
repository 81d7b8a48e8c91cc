import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ApiKey, ApiKeyEnd } from './api-key.js';

/** The holder of the key that an environment variable sets. */
export const BOOTSTRAP_HOLDER = 'bootstrap';

/** Names that could be mistaken for another kind of holder. */
const RESERVED = new RegExp(`^(?:${BOOTSTRAP_HOLDER}$|lineage:|name:)`);

/** Who sent a request, identified by the API key. The requests of one key share one object. */
export interface Caller {
  /** The decimal id of the key, or `bootstrap`. It is unique; names are not. */
  readonly id: string;
  /** The name of the API key. Never the key. */
  readonly keyName: string;
  /** The owner of what the key creates. It stays the same after a rotation, and is unique ({@link holderOf}). */
  readonly holder: string;
  /** What the key may do ({@link Scopes}); `undefined`: everything. */
  readonly scopes: readonly string[] | undefined;
}

/** A stored key that was refused. */
export interface RefusedApiKey {
  readonly keyName: string;
  readonly reason: ApiKeyEnd;
}

/** A request with its caller in `user`, where Nest and Passport put it. Guards of a module find it there. */
export type RequestOfCaller = IncomingMessage & {
  /** Set by the API key guard only. */
  user?: Caller;
  /** Set by the API key guard only. */
  refusedApiKey?: RefusedApiKey;
};

/** The caller of an authenticated request; `undefined` on public routes and before the guard ran. */
export function callerOf(request: IncomingMessage): Caller | undefined {
  return (request as RequestOfCaller).user;
}

/** The key of a request that was refused because it is revoked or has expired. */
export function refusedApiKeyOf(request: IncomingMessage): RefusedApiKey | undefined {
  return (request as RequestOfCaller).refusedApiKey;
}

/**
 * The permanent id of a key's holder. A key and the keys that it was rotated to have the same holder; no other key has it. The
 * id is the lineage. A key without a lineage was created before lineages existed: its id is its name, as it was then.
 */
export function holderOf({ name, lineageId }: Pick<ApiKey, 'name' | 'lineageId'>): string {
  if (lineageId !== undefined) return `lineage:${lineageId}`;
  return RESERVED.test(name) ? `name:${hash('sha256', name, 'hex')}` : name;
}
