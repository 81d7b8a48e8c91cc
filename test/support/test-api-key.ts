import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { ApiKey, ApiKeyAdministration, generateApiKey, hashApiKey } from '@animal-store/auth';

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
  const key = generateApiKey('test');
  const stored = new ApiKey(randomUUID(), hashApiKey(key), undefined, undefined, scopes);
  await app.get(ApiKeyAdministration, { strict: false }).create(stored, 'test');
  return key;
}
