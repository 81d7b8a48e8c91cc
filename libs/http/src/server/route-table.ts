import { SetMetadata } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { pathToRegexp } from 'path-to-regexp';
import { DEPRECATION, type Deprecation } from '../responses/deprecated.decorator.js';
import { setRouteHeaders } from '../responses/route-headers.js';

export type RouteHandler = (request: Request, response: Response, next: NextFunction) => unknown;

/** What `@All()` stands for, in the order in which methods are told. */
const ALL = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** How the router compares addresses. */
export interface MatchingOptions {
  readonly caseSensitive: boolean;
  readonly ignoreTrailingSlash: boolean;
}

interface Route {
  /** In capitals. */
  readonly methods: readonly string[];
  /** As the router has it, such as `/v1/pets/:petId`. */
  readonly path: string;
  readonly pattern: RegExp;
  readonly deprecation: Deprecation | undefined;
}

/** Whether a fallback takes the requests for an address. */
type Takes = (routes: RouteTable, path: string) => boolean;

const FALLBACK = 'animal-store:fallback';

/**
 * Marks a route that answers where no other does. It is none of the routes that exist.
 *
 * @param takes what it leaves to the next one otherwise
 */
export function Fallback(takes: Takes = () => true): MethodDecorator {
  return SetMetadata(FALLBACK, takes);
}

/** The routes of an application, as they are registered: what is served where, and what is deprecated. */
export class RouteTable {
  private readonly routes: Route[] = [];

  constructor(private readonly matching: MatchingOptions) {}

  /**
   * @param method in lower case, or `all`
   * @param handler with the metadata of the controller's method, as Nest copies it
   * @returns what is to be registered
   */
  add(method: string, path: string, handler: RouteHandler): RouteHandler {
    const takes = Reflect.getMetadata(FALLBACK, handler) as Takes | undefined;
    if (takes !== undefined) {
      return (request, response, next) => {
        if (takes(this, request.path)) return handler(request, response, next);
        next();
        return undefined;
      };
    }
    const deprecation = Reflect.getMetadata(DEPRECATION, handler) as Deprecation | undefined;
    this.routes.push({ methods: methodsOf(method), path, pattern: this.patternOf(path), deprecation });
    if (deprecation === undefined) return handler;
    // Before the guards: their refusals tell of it as well.
    return (request, response, next) => {
      setRouteHeaders(request, deprecation.fields);
      return handler(request, response, next);
    };
  }

  /** The value of `Allow` for an address; `undefined` where there is nothing. */
  allowAt(path: string): string | undefined {
    const methods = this.routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    return methods.length === 0 ? undefined : listed([...methods, 'OPTIONS']).join(', ');
  }

  /** The methods that are served at any address. */
  get methods(): string[] {
    return listed([...this.routes.flatMap(({ methods }) => methods), 'OPTIONS']);
  }

  /** As the router has them, each once. */
  get paths(): string[] {
    return [...new Set(this.routes.map(({ path }) => path))];
  }

  /** Whether an address lies below a version that has a route, such as `/v1`. */
  isVersioned(path: string): boolean {
    const version = versionOf(path);
    return version !== undefined && this.routes.some((route) => versionOf(route.path) === version);
  }

  /** The routes that are deprecated. */
  get deprecated(): readonly { methods: readonly string[]; path: string; deprecation: Deprecation }[] {
    return this.routes.flatMap(({ methods, path, deprecation }) =>
      deprecation === undefined ? [] : [{ methods, path, deprecation }],
    );
  }

  /** As Express's router makes it of a path. */
  private patternOf(path: string): RegExp {
    const { caseSensitive, ignoreTrailingSlash } = this.matching;
    const compared = ignoreTrailingSlash && path.length > 1 ? path.replace(/\/+$/, '') : path;
    return pathToRegexp(compared, { sensitive: caseSensitive, trailing: ignoreTrailingSlash }).regexp;
  }
}

function methodsOf(method: string): readonly string[] {
  if (method === 'all') return ALL;
  // Express answers HEAD wherever it answers GET.
  return method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];
}

/** Each once, the usual ones first. */
function listed(methods: readonly string[]): string[] {
  const usual = [...ALL, 'OPTIONS'];
  const unusual = methods.filter((method) => !usual.includes(method));
  return [...usual.filter((method) => methods.includes(method)), ...new Set(unusual)];
}

/** The first segment of an address, where Nest's URI versioning puts a version there. */
function versionOf(path: string): string | undefined {
  return /^\/(?<version>v[0-9][^/]*)(?:\/|$)/.exec(path)?.groups?.['version'];
}
