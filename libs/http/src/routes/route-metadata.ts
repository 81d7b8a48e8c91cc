/**
 * What the decorators of Nest and Swagger record about the routes of an application. Nest exports neither the names of
 * this metadata nor a list of the routes before they are made.
 */
import type { RequestMethod, Type } from '@nestjs/common';
import {
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  METHOD_METADATA,
  PIPES_METADATA,
  RESPONSE_PASSTHROUGH_METADATA,
  ROUTE_ARGS_METADATA,
  SSE_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { type AbstractHttpAdapter, MetadataScanner, type ModulesContainer } from '@nestjs/core';
import { ApiConsumes } from '@nestjs/swagger';

/** A method of a controller that handles a route. */
export interface DeclaredRoute {
  readonly controller: Type;
  /** The name of the method. */
  readonly name: string;
  readonly handler: object;
}

/** An adapter that announces the moment when the application is configured and Nest is about to resolve its routes. */
export interface RouteAnnouncer extends AbstractHttpAdapter {
  /** @param run called once, after the application is configured */
  beforeRoutes(run: () => void): void;
}

/** The routes that the controllers of an application declare. */
export function declaredRoutes(modules: ModulesContainer): DeclaredRoute[] {
  return [...modules.values()].flatMap(({ controllers }) =>
    [...controllers.values()].flatMap(({ metatype }) => routesOf(metatype as Type | null)),
  );
}

function routesOf(controller: Type | null): DeclaredRoute[] {
  const prototype = controller?.prototype as Record<string, object | undefined> | undefined;
  if (controller === null || prototype === undefined) return [];
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const handler = prototype[name];
    const isRoute = handler !== undefined && Reflect.hasMetadata(METHOD_METADATA, handler);
    return isRoute ? [{ controller, name, handler }] : [];
  });
}

/** The method of the requests that a handler takes. */
export function methodOf(handler: object): RequestMethod {
  return Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
}

/** Whether the handler has `@Sse()`. */
export function sendsEvents(handler: object): boolean {
  return Reflect.getMetadata(SSE_METADATA, handler) === true;
}

/** Whether the route or its controller has `@UsePipes()`. */
export function hasPipes({ controller, handler }: DeclaredRoute): boolean {
  return [handler, controller].some((target) => Reflect.hasMetadata(PIPES_METADATA, target));
}

/** The guards of the handler itself. */
export function guardsOf(handler: object): readonly unknown[] {
  return listOf(GUARDS_METADATA, handler);
}

/** The interceptors of a route: those of its controller, then its own. */
export function interceptorsOf({ controller, handler }: DeclaredRoute): readonly unknown[] {
  return [controller, handler].flatMap((target) => listOf(INTERCEPTORS_METADATA, target));
}

function listOf(metadata: unknown, target: object): unknown[] {
  return (Reflect.getMetadata(metadata, target) as unknown[] | undefined) ?? [];
}

/** One parameter of a handler, as Nest's decorators record it. */
export interface DeclaredParameter {
  /** `undefined` for a custom decorator. */
  readonly kind: RouteParamtypes | undefined;
  readonly index: number;
  /** The name of the member that the parameter takes; `undefined` if it takes the whole. */
  readonly data: unknown;
  readonly pipes: readonly unknown[];
  readonly schema?: unknown;
  /** The function that makes the value, for a custom decorator. */
  readonly factory?: object;
}

export { RouteParamtypes as ParameterKind };

const KINDS = Object.values(RouteParamtypes).filter((kind) => typeof kind !== 'string');

/** The parameters of a handler that have a decorator. */
export function declaredParameters(controller: Type, method: string): DeclaredParameter[] {
  const metadata = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
    string,
    Omit<DeclaredParameter, 'kind'>
  >;
  return Object.entries(metadata).map(([key, parameter]) => {
    const kind = /^(?<kind>[0-9]+):/.exec(key)?.groups?.['kind'];
    return { ...parameter, kind: KINDS.find((known) => String(known) === kind) };
  });
}

/** The name of a handler in its class: decorators may have replaced the function. */
export function methodName({ prototype }: Type, handler: object): string {
  for (let owner = prototype as object | null; owner !== null; owner = Object.getPrototypeOf(owner) as object | null) {
    const name = Object.entries(Object.getOwnPropertyDescriptors(owner)).find(
      ([, { value }]) => value === handler,
    )?.[0];
    if (name !== undefined) return name;
  }
  return (handler as { readonly name: string }).name;
}

/** Whether a handler with `@Res()` leaves the writing of the response to Nest. */
export function passesResponseThrough(controller: Type, method: string): boolean {
  return Reflect.getMetadata(RESPONSE_PASSTHROUGH_METADATA, controller, method) === true;
}

/** The media types of `@ApiConsumes()` of a route, in lower case. */
export function declaredMediaTypes(controller: Type, handler: object): string[] {
  const declared = (Reflect.getMetadata(CONSUMES, handler) ??
    Reflect.getMetadata(CONSUMES, controller) ??
    []) as string[];
  return declared.map((type) => type.toLowerCase());
}

/** The metadata key of `@ApiConsumes`, found by applying the decorator: Swagger does not export the key. */
const CONSUMES: unknown = (() => {
  const probe = () => undefined;
  ApiConsumes('text/plain')(probe);
  return Reflect.getMetadataKeys(probe)[0] as unknown;
})();
