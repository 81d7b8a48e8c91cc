import { SetMetadata, type Type } from '@nestjs/common';
import { RESPONSE_PASSTHROUGH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ApiConsumes } from '@nestjs/swagger';

/** What a route takes of a request, as its decorators declare it. */
export interface RouteInput {
  /** Nobody reads the body, whatever the method is. */
  readonly leavesBody: boolean;
  /** A parameter of the handler is made of the body. */
  readonly takesBody: boolean;
  /** A parameter of the handler is the bytes of the body, as they came. */
  readonly takesRawBody: boolean;
  /** Media types, in lower case, whose bodies an interceptor of the route or its handler reads. */
  readonly ownMediaTypes: readonly string[];
  /** Something may read the query: a parameter of the handler, or the handler that is given the whole request. */
  readonly mayReadQuery: boolean;
}

/** One parameter of a handler, as Nest's decorators note it. */
export interface ParameterInput {
  /** `undefined` for a decorator that is not one of Nest's. */
  readonly kind: RouteParamtypes | undefined;
  readonly index: number;
  /** The member that it takes; `undefined` for the whole. */
  readonly data: unknown;
  readonly pipes: readonly unknown[];
  readonly schema?: unknown;
  /** What makes the value, of a decorator that is not one of Nest's. */
  readonly factory?: object;
}

const KINDS = Object.values(RouteParamtypes).filter((kind) => typeof kind !== 'string');

const READS_NO_QUERY = Symbol('reads no query');

/** Marks what a parameter decorator makes its value with: a route that has it may still refuse every query parameter. */
export function withoutQuery<Factory extends object>(factory: Factory): Factory {
  return Object.assign(factory, { [READS_NO_QUERY]: true });
}

const LEAVES_BODY = 'leaves the body unread';

/** The handler answers without the body of the request, whatever the method is: nobody reads it. */
export const LeavesBodyUnread = (): MethodDecorator & ClassDecorator => SetMetadata(LEAVES_BODY, true);

/** What a route takes. */
export function routeInput(controller: Type, handler: object): RouteInput {
  const method = methodName(controller, handler);
  const parameters = parametersOf(controller, method);
  const passesThrough = Reflect.getMetadata(RESPONSE_PASSTHROUGH_METADATA, controller, method) === true;
  return {
    leavesBody: [handler, controller].some((target) => Reflect.getMetadata(LEAVES_BODY, target) === true),
    takesBody: parameters.some(({ kind }) => kind === RouteParamtypes.BODY || kind === RouteParamtypes.RAW_BODY),
    takesRawBody: parameters.some(({ kind }) => kind === RouteParamtypes.RAW_BODY),
    ownMediaTypes: ownMediaTypes(controller, handler),
    mayReadQuery: parameters.some((parameter) => mayReadQuery(parameter, passesThrough)),
  };
}

/** The parameters of a handler that have a decorator. */
export function parametersOf(controller: Type, method: string): ParameterInput[] {
  const noted = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
    string,
    Omit<ParameterInput, 'kind'>
  >;
  return Object.entries(noted).map(([key, parameter]) => {
    const kind = /^(?<kind>[0-9]+):/.exec(key)?.groups?.['kind'];
    return { ...parameter, kind: KINDS.find((known) => String(known) === kind) };
  });
}

/** A decorator of someone's own is given the whole request, and so may read anything. */
function mayReadQuery({ kind, factory }: ParameterInput, passesThrough: boolean): boolean {
  if (factory !== undefined && Object.hasOwn(factory, READS_NO_QUERY)) return false;
  if (kind === RouteParamtypes.RESPONSE) return !passesThrough;
  return (
    kind === undefined ||
    kind === RouteParamtypes.QUERY ||
    kind === RouteParamtypes.REQUEST ||
    kind === RouteParamtypes.NEXT
  );
}

/** The name that a handler has in its class: decorators may have put another function in its place. */
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

/** Where `@ApiConsumes` notes the media types, asked of the decorator itself: its name for it is not public. */
const CONSUMES: unknown = (() => {
  const probe = () => undefined;
  ApiConsumes('text/plain')(probe);
  return Reflect.getMetadataKeys(probe)[0] as unknown;
})();
