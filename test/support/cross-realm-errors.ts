import { types } from 'node:util';

/**
 * Jest runs tests in a separate realm. Errors that Node itself creates, such as errors of sockets and of SQLite, come
 * from another realm, so `instanceof Error` is false for them. In production there is only one realm.
 */
Object.defineProperty(Error, Symbol.hasInstance, {
  value(this: unknown, value: unknown): boolean {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- its successor is not in the types of this target yet
    if (this === Error) return types.isNativeError(value);
    return typeof this === 'function' && Function.prototype[Symbol.hasInstance].call(this, value);
  },
});
