import type { Type } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

const CACHED = Symbol('cached query');

/**
 * Equal queries of this class are validated once: the result is kept by what the client sent, and each handler gets a
 * copy of its own. Declare it only if the same query is always valid and always means the same: no rule and no
 * `@Transform()` of the class may depend on the time, on stored data or on the request. A class that extends this one
 * needs its own declaration.
 */
export function CachedQuery(): ClassDecorator {
  return Reflect.metadata(CACHED, true);
}

/** The number of queries that are kept of each class. Clients repeat a few; a hostile mix only replaces them. */
const MAX_QUERIES = 1_000;

/** The longest query that is kept, in UTF-16 units of JSON: several times what any operation needs. */
const MAX_LENGTH = 512;

/** The valid queries of one class with {@link CachedQuery}. */
export class QueryCache {
  private readonly valid = new LRUCache<string, object>({ max: MAX_QUERIES });

  private constructor(private readonly type: Type<object>) {}

  /** `undefined` if the class itself has no {@link CachedQuery}. */
  static of(type: Type<object>): QueryCache | undefined {
    return Reflect.getOwnMetadata(CACHED, type) === true ? new QueryCache(type) : undefined;
  }

  /**
   * @param query the query as it was sent
   * @param validate makes the instance; called if the query is not known
   * @returns an instance that the caller may change
   */
  get(query: object, validate: () => object | Promise<object>): object | Promise<object> {
    const key = JSON.stringify(query);
    const known = this.valid.get(key);
    return known === undefined ? this.add(key, validate()) : this.copyOf(known);
  }

  private async add(key: string, validated: object | Promise<object>): Promise<object> {
    const instance = await validated;
    // A copy shares lists, dates and objects, which a handler might change for all others.
    const isCopied = Object.values(instance).every((value) => Object(value) !== value);
    if (isCopied && key.length <= MAX_LENGTH) this.valid.set(key, this.copyOf(instance));
    return instance;
  }

  private copyOf(instance: object): object {
    return Object.assign(new this.type(), instance);
  }
}
