import { SetMetadata, type Type } from '@nestjs/common';
import {
  declaredMediaTypes,
  declaredParameters,
  methodName,
  ParameterKind,
  passesResponseThrough,
  type DeclaredParameter,
} from '../routes/route-metadata.js';

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
  const passesThrough = passesResponseThrough(controller, method);
  return {
    leavesBody: [handler, controller].some((target) => Reflect.getMetadata(LEAVES_BODY, target) === true),
    bodyLimit: [handler, controller]
      .map((target) => Reflect.getMetadata(BODY_LIMIT, target) as number | undefined)
      .find((limit) => limit !== undefined),
    takesBody: parameters.some(({ kind }) => kind === ParameterKind.BODY || kind === ParameterKind.RAW_BODY),
    takesRawBody: parameters.some(({ kind }) => kind === ParameterKind.RAW_BODY),
    ownMediaTypes: declaredMediaTypes(controller, handler).filter((type) => type !== 'application/json'),
    mayReadQuery: parameters.some((parameter) => mayReadQuery(parameter, passesThrough)),
  };
}

/** A custom decorator gets the whole request, so it may read anything. */
function mayReadQuery({ kind, factory }: DeclaredParameter, passesThrough: boolean): boolean {
  if (factory !== undefined && Object.hasOwn(factory, READS_NO_QUERY)) return false;
  if (kind === ParameterKind.RESPONSE) return !passesThrough;
  return (
    kind === undefined || kind === ParameterKind.QUERY || kind === ParameterKind.REQUEST || kind === ParameterKind.NEXT
  );
}
