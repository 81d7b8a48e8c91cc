/**
 * What the decorators of Nest and Swagger record about the routes of an application. The only file that reads their
 * metadata: Nest exports neither the names of the metadata nor a list of the routes before they are made.
 */
import { RequestMethod, SetMetadata, type Type } from '@nestjs/common';
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

const READS_NO_QUERY = Symbol('reads no query');

/**
 * Marks the function of a custom parameter decorator: a route with this parameter may still refuse every query
 * parameter.
 */
export function withoutQuery<Factory extends object>(factory: Factory): Factory {
  return Object.assign(factory, { [READS_NO_QUERY]: true });
}

const LEAVES_BODY = 'leaves the body unread';

/** The handler does not use the body of the request: it is not read, whatever the method is. */
export const LeavesBodyUnread = (): MethodDecorator & ClassDecorator => SetMetadata(LEAVES_BODY, true);

const BODY_LIMIT = 'body limit';

/**
 * The largest body of the route in bytes, instead of `BODY_LIMIT`, which may be less: for an upload. `BODIES_LIMIT` holds for it too.
 */
export function BodyLimit(bytes: number): MethodDecorator & ClassDecorator {
  if (!Number.isSafeInteger(bytes) || bytes < 1) throw new Error(`@BodyLimit(${bytes}): give a number of bytes`);
  return SetMetadata(BODY_LIMIT, bytes);
}

/** The input of a route, as its decorators declare it. */
export interface RouteInput {
  /** The body is not read, whatever the method is. */
  readonly leavesBody: boolean;
  /** The largest body in bytes; `undefined` for that of the application. */
  readonly bodyLimit: number | undefined;
  /** A parameter of the handler is made from the body. */
  readonly takesBody: boolean;
  /** A parameter of the handler is the bytes of the body as they arrived. */
  readonly takesRawBody: boolean;
  /** The media types, in lower case, of bodies that an interceptor of the route or its handler reads. */
  readonly ownMediaTypes: readonly string[];
  /** Something may read the query: a parameter of the handler, or the handler itself because it gets the whole request. */
  readonly mayReadQuery: boolean;
}

/** The input of a route. */
export function routeInput(controller: Type, handler: object): RouteInput {
  const method = methodName(controller, handler);
  const parameters = declaredParameters(controller, method);
  const passesThrough = Reflect.getMetadata(RESPONSE_PASSTHROUGH_METADATA, controller, method) === true;
  return {
    leavesBody: [handler, controller].some((target) => Reflect.getMetadata(LEAVES_BODY, target) === true),
    bodyLimit: [handler, controller]
      .map((target) => Reflect.getMetadata(BODY_LIMIT, target) as number | undefined)
      .find((limit) => limit !== undefined),
    takesBody: parameters.some(({ kind }) => kind === RouteParamtypes.BODY || kind === RouteParamtypes.RAW_BODY),
    takesRawBody: parameters.some(({ kind }) => kind === RouteParamtypes.RAW_BODY),
    ownMediaTypes: ownMediaTypes(controller, handler),
    mayReadQuery: parameters.some((parameter) => mayReadQuery(parameter, passesThrough)),
  };
}

/** A custom decorator gets the whole request, so it may read anything. */
function mayReadQuery({ kind, factory }: DeclaredParameter, passesThrough: boolean): boolean {
  if (factory !== undefined && Object.hasOwn(factory, READS_NO_QUERY)) return false;
  if (kind === RouteParamtypes.RESPONSE) return !passesThrough;
  return (
    kind === undefined ||
    kind === RouteParamtypes.QUERY ||
    kind === RouteParamtypes.REQUEST ||
    kind === RouteParamtypes.NEXT
  );
}

/** The name of a handler in its class: decorators may have replaced the function. */
function methodName({ prototype }: Type, handler: object): string {
  for (let owner = prototype as object | null; owner !== null; owner = Object.getPrototypeOf(owner) as object | null) {
    const name = Object.entries(Object.getOwnPropertyDescriptors(owner)).find(
      ([, { value }]) => value === handler,
    )?.[0];
    if (name !== undefined) return name;
  }
  return (handler as { readonly name: string }).name;
}

function ownMediaTypes(controller: Type, handler: object): string[] {
  const declared = (Reflect.getMetadata(CONSUMES, handler) ??
    Reflect.getMetadata(CONSUMES, controller) ??
    []) as string[];
  return declared.map((type) => type.toLowerCase()).filter((type) => type !== 'application/json');
}

/** The metadata key of `@ApiConsumes`, found by applying the decorator: Swagger does not export the key. */
const CONSUMES: unknown = (() => {
  const probe = () => undefined;
  ApiConsumes('text/plain')(probe);
  return Reflect.getMetadataKeys(probe)[0] as unknown;
})();
