/**
 * What the decorators of Nest and Swagger say about the input of a route. Both keep it as metadata and have no function
 * that reads it; this file only reads. Nest's keys are internal and Swagger does not export its own, so they are found by
 * applying the decorators.
 */
import { Next, Query, RawBody, Req, Res, type Type } from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';

/** A method of a controller that handles a route. */
type Handler = object;

/** The keys and kinds of Nest: the kind of a parameter is a number, and the key of its metadata is `<kind>:<index>`. */
const { ARGUMENTS, PASSTHROUGH, CONSUMES, KINDS } = (() => {
  class Probe {}
  const keysAt = (name: string) => Reflect.getMetadataKeys(Probe, name) as unknown[];
  [Query(), Req(), Next(), Res(), RawBody()].forEach((decorate, index) => {
    decorate(Probe.prototype, 'all', index);
  });
  Res({ passthrough: true })(Probe.prototype, 'one', 0);
  ApiConsumes('text/plain')(Probe);
  const [ARGUMENTS] = keysAt('all');
  const sorted = Object.entries(Reflect.getMetadata(ARGUMENTS, Probe, 'all') as Record<string, { index: number }>);
  const [QUERY, REQUEST, NEXT, RESPONSE, RAW_BODY] = sorted
    .toSorted(([, one], [, other]) => one.index - other.index)
    .map(([key]) => kindIn(key));
  return {
    ARGUMENTS,
    PASSTHROUGH: keysAt('one').find((key) => key !== ARGUMENTS),
    CONSUMES: Reflect.getMetadataKeys(Probe)[0] as unknown,
    KINDS: { QUERY, REQUEST, NEXT, RESPONSE, RAW_BODY },
  };
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
const MAY_READ_QUERY: readonly (string | undefined)[] = [KINDS.QUERY, KINDS.REQUEST, KINDS.NEXT];

/** Whether something may read the query: a parameter of the handler, or the handler itself. */
export function mayReadQuery(controller: Type, handler: Handler): boolean {
  const passesThrough = Reflect.getMetadata(PASSTHROUGH, controller, methodName(controller, handler)) === true;
  return parametersOf(controller, handler).some(({ kind, factory }) => {
    // A custom decorator gets the whole request.
    if (factory !== undefined) return !Object.hasOwn(factory, READS_NO_QUERY);
    return kind === KINDS.RESPONSE ? !passesThrough : MAY_READ_QUERY.includes(kind);
  });
}

/** Whether a parameter of the handler is `@RawBody()`. */
export function readsRawBody(controller: Type, handler: Handler): boolean {
  return parametersOf(controller, handler).some(({ kind }) => kind === KINDS.RAW_BODY);
}

/** The kinds of the parameters of a handler; `factory`: the function of a custom decorator. */
function parametersOf(controller: Type, handler: Handler): { readonly kind: string; readonly factory?: object }[] {
  const found = Reflect.getMetadata(ARGUMENTS, controller, methodName(controller, handler)) as unknown;
  return Object.entries((found ?? {}) as Record<string, { readonly factory?: object }>).map(([key, parameter]) => ({
    ...parameter,
    kind: kindIn(key),
  }));
}

function kindIn(key: string): string {
  return key.split(':', 1).join();
}

/** The name of a handler in its class: decorators may have replaced the function. */
function methodName({ prototype }: Type, handler: Handler): string {
  for (let owner = prototype as object | null; owner !== null; owner = Object.getPrototypeOf(owner) as object | null) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner)))
      if (value === handler) return name;
  }
  return (handler as { readonly name: string }).name;
}
