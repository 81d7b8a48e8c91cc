import { SetMetadata } from '@nestjs/common';
import { API_KEY_SCOPE } from './api-key.js';

export const PUBLIC_ROUTE = 'animal-store:public-route';

/** The metadata key of the scopes of a route: on the method, also if its controller declares them. */
export const ROUTE_SCOPES = 'animal-store:route-scopes';

type AccessDecorator = ClassDecorator & MethodDecorator;

/** Makes a route, or all routes of a controller, usable without an API key. All other routes need one. */
export function Public(): AccessDecorator {
  return SetMetadata(PUBLIC_ROUTE, true);
}

/**
 * Requires scopes of the API key for a route, or for all routes of a controller: `@Scopes('orders:write')`. Several scopes are
 * all required. Declared on a method, they replace those of its controller. A key without any scopes may do everything. A route
 * with scopes is never public, also not below `@Public()` of its controller.
 */
export function Scopes(...scopes: readonly [string, ...string[]]): AccessDecorator {
  const malformed = scopes.find((scope) => !API_KEY_SCOPE.test(scope));
  if (malformed !== undefined) throw new Error(`${JSON.stringify(malformed)} is not a scope such as orders:write`);
  return (target: object, _name?: string | symbol, descriptor?: PropertyDescriptor) => {
    if (descriptor !== undefined) Reflect.defineMetadata(ROUTE_SCOPES, scopes, descriptor.value as object);
    else for (const handler of handlersWithoutOwnRule(target)) Reflect.defineMetadata(ROUTE_SCOPES, scopes, handler);
  };
}

/** The methods of a controller without one of these decorators. Decorators of methods run before those of the class. */
function handlersWithoutOwnRule(controller: object): object[] {
  const { prototype } = controller as { readonly prototype: object };
  return Object.values(Object.getOwnPropertyDescriptors(prototype))
    .map(({ value }): unknown => value)
    .filter((value): value is object => typeof value === 'function' && value !== controller)
    .filter((handler) => ![PUBLIC_ROUTE, ROUTE_SCOPES].some((key) => Reflect.hasMetadata(key, handler)));
}
