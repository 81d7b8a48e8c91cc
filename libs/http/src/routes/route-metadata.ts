/**
 * What the decorators of Nest and Swagger say about the input of a route. Both keep it as metadata and have no function
 * that reads it; this file only reads.
 */
import type { Type } from '@nestjs/common';
import { RESPONSE_PASSTHROUGH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ApiConsumes } from '@nestjs/swagger';

/** A method of a controller that handles a route. */
type Handler = object;

/** The metadata key of `@ApiConsumes`, found by applying the decorator: Swagger does not export the key. */
const CONSUMES: unknown = (() => {
  const probe = () => undefined;
  ApiConsumes('text/plain')(probe);
  return Reflect.getMetadataKeys(probe)[0] as unknown;
})();

/** The media types of `@ApiConsumes()` of a route, in lower case. */
export function mediaTypesOf(controller: Type, handler: Handler): string[] {
  const declared = (Reflect.getMetadata(CONSUMES, handler) ??
    Reflect.getMetadata(CONSUMES, controller) ??
    []) as string[];
  return declared.map((type) => type.toLowerCase());
}

const READS_NO_QUERY = Symbol('reads no query');

/**
 * Marks the function of a custom parameter decorator: a route with this parameter may still refuse every query
 * parameter.
 */
export function withoutQuery<Factory extends object>(factory: Factory): Factory {
  return Object.assign(factory, { [READS_NO_QUERY]: true });
}

/** The parameters that hand the whole request to the handler, or its query. */
const MAY_READ_QUERY: readonly string[] = [RouteParamtypes.QUERY, RouteParamtypes.REQUEST, RouteParamtypes.NEXT].map(
  String,
);

/** Whether something may read the query: a parameter of the handler, or the handler itself. */
export function mayReadQuery(controller: Type, handler: Handler): boolean {
  const passesThrough =
    Reflect.getMetadata(RESPONSE_PASSTHROUGH_METADATA, controller, methodName(controller, handler)) === true;
  return parametersOf(controller, handler).some(({ kind, factory }) => {
    // A custom decorator gets the whole request.
    if (factory !== undefined) return !Object.hasOwn(factory, READS_NO_QUERY);
    return kind === String(RouteParamtypes.RESPONSE) ? !passesThrough : MAY_READ_QUERY.includes(kind);
  });
}

/** Whether a parameter of the handler is `@RawBody()`. */
export function readsRawBody(controller: Type, handler: Handler): boolean {
  return parametersOf(controller, handler).some(({ kind }) => kind === String(RouteParamtypes.RAW_BODY));
}

/** The kinds of the parameters of a handler; `factory`: the function of a custom decorator. */
function parametersOf(controller: Type, handler: Handler): { readonly kind: string; readonly factory?: object }[] {
  const found = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, methodName(controller, handler)) as unknown;
  return Object.entries((found ?? {}) as Record<string, { readonly factory?: object }>).map(([key, parameter]) => ({
    ...parameter,
    kind: key.split(':', 1).join(),
  }));
}

/** The name of a handler in its class: decorators may have replaced the function. */
function methodName({ prototype }: Type, handler: Handler): string {
  for (let owner = prototype as object | null; owner !== null; owner = Object.getPrototypeOf(owner) as object | null) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner)))
      if (value === handler) return name;
  }
  return (handler as { readonly name: string }).name;
}
