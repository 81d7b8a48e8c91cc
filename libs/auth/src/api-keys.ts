/** What is kept of an API key: never the key, only its hash. */
export class ApiKey {
  /** Assigned by the store. */
  readonly id!: bigint;
  readonly createdAt!: Date;

  constructor(
    /** Names the holder in logs; unique. */
    readonly name: string,
    /** {@link hashApiKey} of the key. */
    readonly hash: string,
  ) {}
}

/** Where the API keys are kept. Fails with an error of kind `unavailable` when the store can't be reached. */
export abstract class ApiKeys {
  abstract findByHash(hash: string): Promise<ApiKey | undefined>;

  /** Stores the key under its name, in the place of the one that had the name before. */
  abstract put(key: ApiKey): Promise<void>;
}
