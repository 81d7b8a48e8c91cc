/** Runs before each test file. */
import { types } from 'node:util';
// Packages of CommonJS that require Nest find it loaded, as they do in the server. Jest refuses to load it for them while it
// links the modules of a test: "Cannot require() ES Module in a cycle".
import '@nestjs/common';
import '@nestjs/core';

// Jest runs tests in a separate realm. Errors that Node itself creates, such as errors of sockets and of SQLite, come from
// another realm, so `instanceof Error` is false for them. In production there is only one realm.
Object.defineProperty(Error, Symbol.hasInstance, {
  value(this: unknown, value: unknown): boolean {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- its successor is not in the types of this target yet
    if (this === Error) return types.isNativeError(value);
    return typeof this === 'function' && Function.prototype[Symbol.hasInstance].call(this, value);
  },
});

// A worker starts many applications in one process, each with a log that listens to the end of the process and to the errors of
// its standard output. Node would take that for a leak.
process.setMaxListeners(0);
const before = new Set(process.stdout.listeners('error'));

afterAll(() => {
  for (const listener of process.stdout.listeners('error'))
    if (!before.has(listener)) process.stdout.off('error', listener as () => void);
});
