/** The page of a collection after `afterId`, in ascending order of id, with at most `limit` elements. */
export interface PageQuery {
  readonly limit: number;
  /** Without it, the first page. */
  readonly afterId?: bigint | undefined;
}
