import type { INestApplication } from '@nestjs/common';
import type { GuardsContextCreator } from '@nestjs/core/guards/guards-context-creator.js';
import type { ContextUtils } from '@nestjs/core/helpers/context-utils.js';
import type { HandlerMetadata } from '@nestjs/core/helpers/handler-metadata-storage.js';
import type { InterceptorsContextCreator } from '@nestjs/core/interceptors/interceptors-context-creator.js';
import type { PipesContextCreator } from '@nestjs/core/pipes/pipes-context-creator.js';
import type { ParamProperties, RouterExecutionContext } from '@nestjs/core/router/router-execution-context.js';
import type { Request, Response } from 'express';

export type RouteArguments = Parameters<RouterExecutionContext['create']>;
/** Handles a request, or calls `next`. */
export type Handle = (request: Request, response: Response, next: () => void) => unknown;

/** Nest's class that creates the handlers of routes, with its private members. */
export type HandleFactory = Omit<RouterExecutionContext, 'create'> & {
  create: (...route: RouteArguments) => Handle;
  readonly guardsContextCreator: GuardsContextCreator;
  readonly pipesContextCreator: PipesContextCreator;
  readonly interceptorsContextCreator: InterceptorsContextCreator;
  readonly contextUtils: ContextUtils;
  isResponseHandled: (controller: object, methodName: string, parameters: readonly ParamProperties[]) => boolean;
};

/** A private part of Nest is missing or has changed. */
export class MissingPartError extends Error {
  constructor(part: string) {
    super(`${part} is not what it was`);
  }
}

/**
 * Returns the part of an application's router that makes the handlers, a private part of Nest.
 *
 * @throws MissingPartError
 */
export function handleFactoryOf(app: INestApplication): HandleFactory {
  const factory = memberOf(app, 'routesResolver.routerExplorer.executionContextCreator') as
    Partial<HandleFactory> | undefined;
  if (typeof factory?.create !== 'function') throw new MissingPartError('RouterExecutionContext.create');
  return factory as HandleFactory;
}

function memberOf(owner: unknown, path: string): unknown {
  return path.split('.').reduce((from, name) => (from as Record<string, unknown> | null | undefined)?.[name], owner);
}

const METADATA_TYPES = [
  ['argsLength', 'number'],
  ['fnHandleResponse', 'function'],
  ['getParamsMetadata', 'function'],
  ['hasCustomHeaders', 'boolean'],
  ['httpStatusCode', 'number'],
  ['isSseHandler', 'boolean'],
] as const satisfies readonly (readonly [keyof HandlerMetadata, string])[];

/**
 * Returns Nest's metadata of a route.
 *
 * @throws MissingPartError if a member is missing: it would look as if the route did not use that feature
 */
export function metadataOf(nest: HandleFactory, route: RouteArguments): HandlerMetadata {
  const [controller, handler, name, module, method] = route;
  const metadata = nest.getMetadata(controller, handler, name, module, method, 'http');
  for (const [member, type] of METADATA_TYPES) {
    if (typeof metadata[member] !== type) throw new MissingPartError(`HandlerMetadata.${member}`);
  }
  return metadata;
}
