import type { OpenAPIObject } from '@nestjs/swagger';
import type { Deprecation } from '../requests/exchange.js';
import { DEPRECATION_EXTENSION } from '../routes/deprecation.js';
import { ERRORS_EXTENSION, GROUP_EXTENSION, LIST_EXTENSION, type List, type OperationGroup } from './api.decorators.js';

type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;
export type Components = NonNullable<OpenAPIObject['components']>;

/** The extensions that say who may use an operation. */
export interface AccessExtensions {
  /** The extension of operations that need no API key. */
  readonly publicExtension: string;
  /** The extension of operations with the scopes that they require. */
  readonly scopesExtension: string;
}

/** What decorators leave at an operation, until the document is complete. */
export interface Declared {
  readonly isPublic: boolean;
  readonly scopes: readonly string[];
  readonly errors: readonly string[];
  readonly list: List | undefined;
  readonly group: OperationGroup | undefined;
  readonly deprecation: Deprecation | undefined;
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace'] as const;

/** The operations of a document, in its order. Removes those of `@All()` whose methods OpenAPI 3.0 does not know. */
export function operationsOf({ paths }: OpenAPIObject): { path: string; method: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, item]) => {
    for (const method of ['search', 'query']) Reflect.deleteProperty(item, method);
    return METHODS.flatMap((method) => (item[method] === undefined ? [] : [{ path, method, operation: item[method] }]));
  });
}

/** Removes what decorators left at an operation, except for the scopes, and returns it. */
export function takeDeclared(operation: Operation, { publicExtension, scopesExtension }: AccessExtensions): Declared {
  const extensions = operation as unknown as Record<string, unknown>;
  const take = (name: string) => {
    const { [name]: value } = extensions;
    Reflect.deleteProperty(extensions, name);
    return value;
  };
  const scopes = (extensions[scopesExtension] ?? []) as string[];
  return {
    isPublic: take(publicExtension) === true && scopes.length === 0,
    scopes,
    errors: (take(ERRORS_EXTENSION) ?? []) as string[],
    list: take(LIST_EXTENSION) as List | undefined,
    group: take(GROUP_EXTENSION) as OperationGroup | undefined,
    deprecation: take(DEPRECATION_EXTENSION) as Deprecation | undefined,
  };
}
