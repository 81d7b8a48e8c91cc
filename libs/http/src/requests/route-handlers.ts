import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { type AbstractHttpAdapter, MetadataScanner, type ModulesContainer } from '@nestjs/core';

/** A method of a controller that handles a route. */
export interface RouteHandler {
  readonly prototype: object;
  readonly controller: string;
  readonly name: string;
  readonly handler: object;
}

/** An adapter that announces the moment when the application is configured and Nest is about to resolve its routes. */
export interface RouteAnnouncer extends AbstractHttpAdapter {
  /** @param run called once, after the application is configured */
  beforeRoutes(run: () => void): void;
}

/** The handlers of all controllers of an application. */
export function routeHandlers(modules: ModulesContainer): RouteHandler[] {
  return [...modules.values()].flatMap(({ controllers }) =>
    [...controllers.values()].flatMap(({ metatype }) => handlersOf(metatype as NamedClass | null)),
  );
}

interface NamedClass {
  readonly name: string;
  readonly prototype?: Record<string, object | undefined>;
}

function handlersOf(controller: NamedClass | null): RouteHandler[] {
  const { name: className = '', prototype } = controller ?? {};
  if (prototype === undefined) return [];
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const handler = prototype[name];
    if (handler === undefined || !Reflect.hasMetadata(METHOD_METADATA, handler)) return [];
    return [{ prototype, controller: className, name, handler }];
  });
}
