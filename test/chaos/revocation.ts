import { setTimeout as delay } from 'node:timers/promises';
import { newApiKey } from '@animal-store/auth';
import { administerApiKeys } from '../../apps/api/src/cli/keys.js';
import { readEnvironment } from '../../apps/api/src/settings.js';

/** An API key in the database, as `npm run keys -- create` makes it. */
export interface StoredKey {
  readonly name: string;
  readonly key: string;
}

const ACTOR = 'chaos';

export async function createKey(databaseUrl: string, name: string): Promise<StoredKey> {
  const { secret: key, stored } = newApiKey('astest', name);
  await administerApiKeys(environmentOf(databaseUrl), (keys) => keys.create(stored, ACTOR));
  return { name, key };
}

/** @returns when the revocation was committed, by `performance.now()` */
export async function revokeKey(databaseUrl: string, { name }: StoredKey): Promise<number> {
  return await administerApiKeys(environmentOf(databaseUrl), async (keys) => {
    await keys.revoke(name, ACTOR);
    return performance.now();
  });
}

/**
 * Uses the key continuously on an instance until `signal` is aborted.
 *
 * @returns when the last request was sent that the key opened, by `performance.now()`
 */
export async function lastOpened(url: string, { key }: StoredKey, signal: AbortSignal): Promise<number> {
  let last = -Infinity;
  while (!signal.aborted) {
    const sentAt = performance.now();
    if ((await statusFor(url, key)) === 200) last = sentAt;
    await delay(10);
  }
  return last;
}

/** The status of a list request with the key; 0 if no answer arrived. */
export async function statusFor(url: string, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  try {
    const answer = await fetch(`${url}/v1/pets?limit=1`, { headers });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

function environmentOf(databaseUrl: string) {
  return readEnvironment({ NODE_ENV: 'test', DATABASE_URL: databaseUrl });
}
