import type { Type } from '@nestjs/common';

/**
 * Keeps what was found out about a route: decorators don't change. Controllers that inherit a handler share it, and may have
 * decorators of their own, so a route is both.
 */
export class RouteMemo<Value> {
  private readonly known = new WeakMap<Type, WeakMap<object, { readonly value: Value }>>();

  /** @param find called for a route that was not asked about before */
  get(controller: Type, handler: object, find: () => Value): Value {
    let handlers = this.known.get(controller);
    if (handlers === undefined) this.known.set(controller, (handlers = new WeakMap()));
    let found = handlers.get(handler);
    if (found === undefined) handlers.set(handler, (found = { value: find() }));
    return found.value;
  }
}
