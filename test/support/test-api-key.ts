import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { ApiKeyAdministration, newApiKey } from '@animal-store/auth';

/** A key that every application in the tests accepts. */
export const TEST_API_KEY = 'a-key-for-tests-only';

/**
 * Stores a key for a caller of its own.
 *
 * @param scopes what the key may do; without them everything
 * @returns the key as clients send it
 */
export async function createApiKey(
  { app }: { readonly app: INestApplicationContext },
  scopes?: readonly string[],
): Promise<string> {
  const { secret, stored } = newApiKey('test', randomUUID(), undefined, scopes);
  await app.get(ApiKeyAdministration, { strict: false }).create(stored, 'test');
  return secret;
}
