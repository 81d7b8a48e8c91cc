/** The page of a collection after `afterId`, in ascending order of id, with at most `limit` elements. */
export interface PageQuery {
  readonly limit: number;
  /** Without it, the first page. */
  readonly afterId?: bigint | undefined;
}

/** A page as JSON text. Requests for the same page may share the object, so that its entity tag is computed once. */
export class SerializedPage {
  /** @param nextAfterId the `afterId` of the next page; `undefined` on the last page */
  constructor(
    readonly text: string,
    readonly nextAfterId: bigint | undefined,
  ) {}
}
