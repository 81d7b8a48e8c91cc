/** The page of a collection after `afterId`, in ascending order of id, with at most `limit` elements. */
export interface PageQuery {
  readonly limit: number;
  /** Without it, the first page. */
  readonly afterId?: bigint | undefined;
}

/** The text of a response, which the store has made. The code between the store and the HTTP library does not change it. */
export class Serialized {
  constructor(readonly text: string) {}
}

/** A page as {@link Serialized} text. Requests for the same page may share one object, so its entity tag is computed once. */
export class SerializedPage extends Serialized {
  /** @param nextAfterId the `afterId` of the next page; `undefined` on the last page */
  constructor(
    text: string,
    readonly nextAfterId: bigint | undefined,
  ) {
    super(text);
  }
}
