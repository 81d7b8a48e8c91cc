import { Reflector } from '@nestjs/core';
import { pathToRegexp } from 'path-to-regexp';

/** Marks a handler that takes the requests for addresses without a route. */
export const UnknownRoute = Reflector.createDecorator<undefined, boolean>({ transform: () => true });

interface Route {
  /** In upper case. */
  readonly methods: readonly string[];
  /** In the syntax of the router, such as `/v1/pets/:petId`. */
  readonly path: string;
  readonly pattern: RegExp;
}

/** The methods of `@All()`. */
const ALL = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The registered routes of an application: their methods and addresses. */
export class RouteTable {
  private readonly routes: Route[] = [];

  /**
   * @param method in lower case, or `all`
   * @param handler with the metadata of the controller's method, as Nest copies it
   */
  add(method: string, path: string, handler: object): void {
    if (Reflect.hasMetadata(UnknownRoute.KEY, handler)) return;
    const { regexp: pattern } = pathToRegexp(path, { sensitive: true, trailing: false });
    // Express answers HEAD wherever it answers GET.
    const methods = method === 'all' ? ALL : method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];
    this.routes.push({ methods, path, pattern });
  }

  /** The methods of an address, without `OPTIONS`, which every address has; none if the address does not exist. */
  methodsAt(path: string): readonly string[] {
    const routes = this.routes.filter(({ pattern }) => pattern.test(path));
    return [...new Set(routes.flatMap(({ methods }) => methods))];
  }

  /** The paths in the syntax of the router, without duplicates. */
  get paths(): string[] {
    return [...new Set(this.routes.map(({ path }) => path))];
  }
}
