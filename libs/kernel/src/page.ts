/** Which part of a collection a page shows: what comes after `afterId`, in ascending order of id, `limit` at most. */
export interface PageQuery {
  readonly limit: number;
  /** Left out: the page begins with the first of all. */
  readonly afterId?: bigint | undefined;
}
