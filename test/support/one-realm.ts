import { types } from 'node:util';

/**
 * Jest runs tests in a realm of their own. Errors that Node itself makes, such as those of sockets and of SQLite, come
 * from another one, and `instanceof Error` says no to them; in production there is one realm. To be imported by tests
 * in which such errors decide something.
 */
Object.defineProperty(Error, Symbol.hasInstance, {
  value(this: unknown, value: unknown): boolean {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- its successor is not in the types of this target yet
    if (this === Error) return types.isNativeError(value);
    return typeof this === 'function' && Function.prototype[Symbol.hasInstance].call(this, value);
  },
});
