import { SetMetadata } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { pathToRegexp } from 'path-to-regexp';
import { exchangeOf, type Deprecation } from '../requests/exchange.js';
import { DEPRECATION } from './deprecation.js';

export type RouteHandler = (request: Request, response: Response, next: NextFunction) => unknown;

/** The methods of `@All()`, in the order in which they are listed. */
const ALL = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

interface Route {
  /** In upper case. */
  readonly methods: readonly string[];
  /** In the syntax of the router, such as `/v1/pets/:petId`. */
  readonly path: string;
  readonly pattern: RegExp;
  readonly deprecation: Deprecation | undefined;
}

/** Whether a fallback handles the requests for an address. */
type Takes = (routes: RouteTable, path: string) => boolean;

const FALLBACK = 'animal-store:fallback';

/**
 * Marks a route that handles requests for which there is no other route, not even a later one. It does not count as an existing
 * route.
 *
 * @param takes decides which requests; the others go to the next route
 */
export function Fallback(takes: Takes = () => true): MethodDecorator {
  return SetMetadata(FALLBACK, takes);
}

/** The registered routes of an application: their methods, addresses and deprecations. */
export class RouteTable {
  private readonly routes: Route[] = [];

  /**
   * @param method in lower case, or `all`
   * @param handler with the metadata of the controller's method, as Nest copies it
   * @returns the function to register
   */
  add(method: string, path: string, handler: RouteHandler): RouteHandler {
    const takes = Reflect.getMetadata(FALLBACK, handler) as Takes | undefined;
    if (takes !== undefined) {
      const earlier = this.routes.length;
      return (request, response, next) => {
        if (takes(this, request.path) && !this.hasSince(earlier, request)) return handler(request, response, next);
        next();
        return undefined;
      };
    }
    const deprecation = Reflect.getMetadata(DEPRECATION, handler) as Deprecation | undefined;
    this.routes.push({ methods: methodsOf(method), path, pattern: patternOf(path), deprecation });
    if (deprecation === undefined) return handler;
    // Set before the guards run, so that their refusals announce the deprecation too.
    return (request, response, next) => {
      exchangeOf(response).deprecation = deprecation;
      return handler(request, response, next);
    };
  }

  /** Whether a route that was added after the first `count` ones handles a request. */
  private hasSince(count: number, { method, path }: Request): boolean {
    return this.routes.slice(count).some(({ methods, pattern }) => methods.includes(method) && pattern.test(path));
  }

  /** The value of `Allow` for an address; `undefined` if the address does not exist. */
  allowAt(path: string): string | undefined {
    const methods = this.routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    return methods.length === 0 ? undefined : listed([...methods, 'OPTIONS']).join(', ');
  }

  /** The methods of all addresses together. */
  get methods(): string[] {
    return listed([...this.routes.flatMap(({ methods }) => methods), 'OPTIONS']);
  }

  /** The paths in the syntax of the router, without duplicates. */
  get paths(): string[] {
    return [...new Set(this.routes.map(({ path }) => path))];
  }

  /** Whether an address is below a version that has a route, such as `/v1`. */
  isVersioned(path: string): boolean {
    const version = versionOf(path);
    return version !== undefined && this.routes.some((route) => versionOf(route.path) === version);
  }

  /** The routes that are deprecated. */
  get deprecated(): readonly { path: string; deprecation: Deprecation }[] {
    return this.routes.flatMap(({ path, deprecation }) => (deprecation === undefined ? [] : [{ path, deprecation }]));
  }
}

/** The regular expression that Express's router makes of a path, with the settings of `createExpress`. */
function patternOf(path: string): RegExp {
  return pathToRegexp(path, { sensitive: true, trailing: false }).regexp;
}

function methodsOf(method: string): readonly string[] {
  if (method === 'all') return ALL;
  // Express answers HEAD wherever it answers GET.
  return method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];
}

/** Without duplicates, the usual methods first. */
function listed(methods: readonly string[]): string[] {
  const usual = [...ALL, 'OPTIONS'];
  const unusual = methods.filter((method) => !usual.includes(method));
  return [...usual.filter((method) => methods.includes(method)), ...new Set(unusual)];
}

/** The first segment of an address, if it is a version of Nest's URI versioning. */
function versionOf(path: string): string | undefined {
  return /^\/(?<version>v[0-9][^/]*)(?:\/|$)/.exec(path)?.groups?.['version'];
}
