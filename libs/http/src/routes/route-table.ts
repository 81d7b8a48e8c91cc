import { SetMetadata } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { pathToRegexp } from 'path-to-regexp';
import { stateOf } from '../request-context.js';
import { deprecationOf } from './deprecated.js';

export type RouteHandler = (request: Request, response: Response, next: NextFunction) => unknown;

interface Route {
  /** In upper case. */
  readonly methods: readonly string[];
  /** In the syntax of the router, such as `/v1/pets/:petId`. */
  readonly path: string;
  readonly pattern: RegExp;
}

/** Which addresses without a route a handler takes. */
type Addresses = 'below a version' | 'all';

const UNKNOWN_ROUTE = 'animal-store:unknown-route';

/** Marks a handler that takes the requests for addresses without a route. It must come after all routes. */
export function UnknownRoute(addresses: Addresses): MethodDecorator {
  return SetMetadata(UNKNOWN_ROUTE, addresses);
}

/** The addresses that a handler with {@link UnknownRoute} takes; `undefined` for the handler of a route that exists. */
export function unknownRouteOf(handler: object): Addresses | undefined {
  return Reflect.getMetadata(UNKNOWN_ROUTE, handler) as Addresses | undefined;
}

/** The methods of `@All()`, in the order in which `Allow` lists them. */
const ALL = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The registered routes of an application: their methods and addresses. */
export class RouteTable {
  private readonly routes: Route[] = [];

  /** @param pathPrefix the prefix that a proxy removes from addresses */
  constructor(private readonly pathPrefix: string) {}

  /**
   * @param method in lower case, or `all`
   * @param handler with the metadata of the controller's method, as Nest copies it
   * @returns the function to register: that of a deprecated route announces it, in refusals of the guards too
   */
  add(method: string, path: string, handler: RouteHandler): RouteHandler {
    const unknown = unknownRouteOf(handler);
    if (unknown !== undefined)
      return (request, response, next) => {
        if (unknown === 'all' || this.isVersioned(request.path)) return handler(request, response, next);
        next();
        return undefined;
      };
    const deprecation = deprecationOf(handler, this.pathPrefix);
    const { regexp: pattern } = pathToRegexp(path, { sensitive: true, trailing: false });
    // Express answers HEAD wherever it answers GET.
    const methods = method === 'all' ? ALL : method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];
    this.routes.push({ methods, path, pattern });
    if (deprecation === undefined) return handler;
    return (request, response, next) => {
      stateOf(response).deprecation = deprecation;
      return handler(request, response, next);
    };
  }

  /** The methods of an address, without `OPTIONS`, which every address has; `undefined` if the address does not exist. */
  methodsAt(path: string): readonly string[] | undefined {
    const methods = this.routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    if (methods.length === 0) return undefined;
    return [...new Set([...ALL.filter((method) => methods.includes(method)), ...methods])];
  }

  /** The paths in the syntax of the router, without duplicates. */
  get paths(): string[] {
    return [...new Set(this.routes.map(({ path }) => path))];
  }

  /** Whether an address is below a version that has a route, such as `/v1`. */
  private isVersioned(path: string): boolean {
    const version = versionOf(path);
    return version !== undefined && this.routes.some((route) => versionOf(route.path) === version);
  }
}

/** The first segment of an address, if it is a version of Nest's URI versioning. */
function versionOf(path: string): string | undefined {
  return /^\/(v[0-9][^/]*)(?:\/|$)/.exec(path)?.[1];
}
