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
