import type { Cancellation } from './cancellation.js';
import type { PageQuery } from './page.js';
import type { Serialized, SerializedPage } from './serialized.js';

/**
 * A collection as those get it who only pass it on: as text, in a form that is no matter of the domain.
 *
 * There are two ways to read, on purpose. A repository gives objects of the domain, to work with. This one gives the text that
 * the store made of them: nearly every request only passes it on, so it is not taken apart into objects to be put together
 * again, its integers keep every digit, and requests that wait together can share it. Both see the same; inside a unit of work
 * both see what was done in it before.
 *
 * A module has a class of its own that extends this one, for a name to ask for:
 * `abstract class OrderReadModel extends ReadModel<OrderFilter> {}`.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- modules say which filter theirs has
export abstract class ReadModel<Filter extends object = object> {
  /**
   * Sees all that was acknowledged before the call, as every read does (linearizable).
   *
   * @param signal what nobody waits for any more need not be read: the call may fail instead
   */
  abstract findById(id: bigint, signal?: Cancellation): Promise<Serialized | undefined>;

  /** As {@link findById}. A member of the filter that is `undefined` filters nothing. */
  abstract findPage(query: PageQuery & Filter, signal?: Cancellation): Promise<SerializedPage>;
}
