/**
 * Reads a collection as text. The domain does not know the format of the text.
 *
 * There are two ways to read. A repository returns objects of the domain, to work with. A read model returns the text that the
 * store made. Nearly every request only sends the text on, so it is not parsed and serialized again, its integers keep every
 * digit, and waiting requests can share it. Both see the same data. Inside a unit of work both see its earlier changes.
 *
 * A module extends this class, to have its own token for dependency injection:
 * `abstract class OrderReadModel extends ReadModel<OrderFilter> {}`.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- each module gives the type of its filter
export abstract class ReadModel<Filter extends object = object> {
  /** Sees all changes that were acknowledged before the call (linearizability), unless it reads from a standby. */
  abstract findById(id: bigint): Promise<Serialized | undefined>;

  /** As {@link findById}. A member of the filter that is `undefined` does not filter. */
  abstract findPage(query: PageQuery & Filter): Promise<SerializedPage>;
}

/** The page of a collection after `afterId`, in the order of the collection, with at most `limit` elements. */
export interface PageQuery {
  readonly limit: number;
  /** Without it, the first page. */
  readonly afterId?: bigint | undefined;
}

/**
 * The text of a response, made by the store. Only the store and the HTTP library know its format; the code between them does not
 * change it.
 */
export class Serialized {
  constructor(readonly text: string) {}
}

/**
 * A page as {@link Serialized} text. Requests for the same page at the same time share one object, so values that are computed
 * from it (an entity tag, a link) are computed once.
 */
export class SerializedPage extends Serialized {
  constructor(
    text: string,
    /** The `afterId` of the next page; `undefined` on the last page. */
    readonly nextAfterId: bigint | undefined,
  ) {
    super(text);
  }
}
