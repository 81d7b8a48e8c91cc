import type { ApiKey } from './stored-api-key.js';

/**
 * The store of the API keys, as requests need it. {@link ApiKeyAdministration} changes keys.
 * Fails with an error of kind `unavailable` when the store cannot be reached.
 */
export abstract class ApiKeys {
  /** The key with this hash, if it is live by the clock of the store. */
  abstract findByHash(hash: string): Promise<ApiKey | undefined>;

  /** As {@link findByHash}, for a key that was found before. It does not wait behind lookups of unknown keys. */
  abstract findAgain(hash: string): Promise<ApiKey | undefined>;

  /** Notes that these keys were used within the last minute. Unknown ids are ignored. */
  abstract markUsed(ids: readonly bigint[]): Promise<void>;

  /** Stores the key in the place of all keys with its name. It continues the lineage of a live key with that name. */
  abstract put(key: ApiKey): Promise<void>;
}
