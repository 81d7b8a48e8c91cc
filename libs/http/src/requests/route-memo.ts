import type { Type } from '@nestjs/common';

/**
 * Caches a value for each route: the decorators of a route do not change. Controllers that inherit a handler share it
 * but may have their own decorators, so a route is the pair of controller and handler.
 */
export class RouteMemo<Value> {
  private readonly known = new WeakMap<Type, WeakMap<object, { readonly value: Value }>>();

  /** @param find computes the value for a new route */
  get(controller: Type, handler: object, find: () => Value): Value {
    let handlers = this.known.get(controller);
    if (handlers === undefined) this.known.set(controller, (handlers = new WeakMap()));
    let found = handlers.get(handler);
    if (found === undefined) handlers.set(handler, (found = { value: find() }));
    return found.value;
  }
}
