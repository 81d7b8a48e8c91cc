export type ApiKeyAction = 'created' | 'rotated' | 'revoked';

/** A permanent record of a change of a key: who changed which key, how and when. It never contains a key or a hash. */
export class ApiKeyAuditEntry {
  /** Assigned by the store. */
  readonly id!: bigint;
  readonly at!: Date;

  constructor(
    /** Who made the change: the name that the administrator gave, or the name of the user in the operating system. */
    readonly actor: string,
    readonly action: ApiKeyAction,
    readonly keyId: bigint,
    readonly keyName: string,
    /** More about the change, such as the ids of the keys that a rotation replaced. */
    readonly details: Readonly<Record<string, string | string[]>>,
  ) {}
}
