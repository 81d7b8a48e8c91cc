import type { OpenAPIObject } from '@nestjs/swagger';
import type { Operation } from './document-parts.js';

/** In the order of a document. */
export const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace'] as const;

/** The operations of a document, in its order. */
export function operationsOf({ paths }: OpenAPIObject): Operation[] {
  return Object.values(paths)
    .flatMap((item) => METHODS.map((method) => item[method]))
    .filter((operation) => operation !== undefined);
}

/**
 * Removes a value that a decorator stored in an operation as an extension, and returns it. It is not a part of the
 * document.
 */
export function takeExtension(operation: Operation, name: `x-${string}`): unknown {
  const value = (operation as unknown as Record<string, unknown>)[name];
  Reflect.deleteProperty(operation, name);
  return value;
}
