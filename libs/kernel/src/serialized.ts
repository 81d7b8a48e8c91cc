/**
 * Something as the text in which it leaves the service. Who makes the text and who sends it agree on its form; all between
 * them pass it on as it is.
 */
export class Serialized {
  constructor(readonly text: string) {}
}

/**
 * A page as {@link Serialized} text. All who get the same object asked for the same page at the same time, so what is worked
 * out from it (an entity tag, a link) can be worked out once.
 */
export class SerializedPage extends Serialized {
  constructor(
    text: string,
    /** Set when more follow: the `afterId` of the next page. */
    readonly nextAfterId: bigint | undefined,
  ) {
    super(text);
  }
}
