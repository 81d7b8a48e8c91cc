import type { ArgumentMetadata, INestApplication, PipeTransform, Type } from '@nestjs/common';
import type { ExceptionsHandler } from '@nestjs/core/exceptions/exceptions-handler.js';
import type { GuardsContextCreator } from '@nestjs/core/guards/guards-context-creator.js';
import type { ContextUtils } from '@nestjs/core/helpers/context-utils.js';
import type { HandlerMetadata } from '@nestjs/core/helpers/handler-metadata-storage.js';
import type { InterceptorsContextCreator } from '@nestjs/core/interceptors/interceptors-context-creator.js';
import type { PipesContextCreator } from '@nestjs/core/pipes/pipes-context-creator.js';
import { ParamsTokenFactory } from '@nestjs/core/pipes/params-token-factory.js';
import type { ParamProperties, RouterExecutionContext } from '@nestjs/core/router/router-execution-context.js';
import type { Request, Response } from 'express';
import { RequestValidationPipe } from '../validation/request-validation.pipe.js';
import { MissingPartError } from './missing-part.error.js';
import { needMethods } from './need-methods.js';

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

/** Nest's class that creates the functions which Express calls: a handler with the exception filters of its route. */
interface ProxyFactory {
  createProxy: (handle: Handle, filters: ExceptionsHandler) => Handle;
}

/** The two parts of Nest's router between Express and a controller. */
interface Router {
  readonly executionContextCreator: HandleFactory;
  readonly routerProxy: ProxyFactory;
}

/** The methods of {@link HandleFactory} that are called. */
const FACTORY_METHODS = [
  'create',
  'getMetadata',
  'isPipeable',
  'isResponseHandled',
  'reflectRedirect',
  'reflectRenderTemplate',
  'applicationRef.reply',
  'applicationRef.status',
  'contextUtils.mergeParamsMetatypes',
  'guardsContextCreator.create',
  'interceptorsContextCreator.create',
  'pipesContextCreator.create',
];

/**
 * Returns the router of an application, a private part of Nest.
 *
 * @throws MissingPartError
 */
export function routerOf(app: INestApplication): Router {
  const { routesResolver } = app as unknown as { readonly routesResolver?: { readonly routerExplorer?: Router } };
  const router = routesResolver?.routerExplorer;
  if (router === undefined) throw new MissingPartError('NestApplication.routesResolver.routerExplorer');
  needMethods(router, 'RouterExplorer', ['routerProxy.createProxy']);
  needMethods(router.executionContextCreator, 'RouterExplorer.executionContextCreator', FACTORY_METHODS);
  return router;
}

/**
 * Checks the metadata that Nest has about a route. A missing member would look as if the route did not use the feature.
 *
 * @throws MissingPartError
 */
export function checkRoute(nest: HandleFactory, route: RouteArguments): void {
  const [, , , moduleKey, , contextId, inquirerId] = route;
  const metadata = metadataOf(nest, route);
  for (const [name, type] of METADATA_TYPES) {
    if (typeof metadata[name] !== type) throw new MissingPartError(`HandlerMetadata.${name}`);
  }
  const parameters = nest.contextUtils.mergeParamsMetatypes(
    metadata.getParamsMetadata(moduleKey, contextId, inquirerId),
    metadata.paramtypes,
  );
  for (const { extractValue, index, pipes } of parameters as readonly Partial<ParamProperties>[]) {
    const isKnown = typeof extractValue === 'function' && typeof index === 'number' && Array.isArray(pipes);
    if (!isKnown) throw new MissingPartError('ParamProperties');
  }
}

const METADATA_TYPES = [
  ['argsLength', 'number'],
  ['fnHandleResponse', 'function'],
  ['getParamsMetadata', 'function'],
  ['hasCustomHeaders', 'boolean'],
  ['httpStatusCode', 'number'],
  ['isSseHandler', 'boolean'],
] as const satisfies readonly (readonly [keyof HandlerMetadata, string])[];

/** Nest's metadata of the handler of a route. */
export function metadataOf(
  nest: HandleFactory,
  [controller, handler, name, module, method]: RouteArguments,
): HandlerMetadata {
  return nest.getMetadata(controller, handler, name, module, method, 'http');
}

/** A parameter of a handler: the source of its value, and its pipes. */
export interface Parameter {
  readonly index: number;
  readonly extract: Handle;
  /** False for parameters such as the response: they have no pipes, and even a promise is not awaited. */
  readonly isPipeable: boolean;
  readonly pipes: readonly ((value: unknown) => unknown)[];
}

type ParameterType = Parameters<ParamsTokenFactory['exchangeEnumForString']>[0];

/** The parameters of the handler of a route. */
export function parametersOf(nest: HandleFactory, route: RouteArguments): Parameter[] {
  const [controller, handler, , moduleKey, , contextId, inquirerId] = route;
  const pipes = nest.pipesContextCreator.create(controller, handler, moduleKey, contextId, inquirerId);
  const { getParamsMetadata, paramtypes } = metadataOf(nest, route);
  const tokens = new ParamsTokenFactory();
  return nest.contextUtils
    .mergeParamsMetatypes(getParamsMetadata(moduleKey, contextId, inquirerId), paramtypes)
    .map(({ index, extractValue, type, pipes: ownPipes, metatype, data, schema }) => {
      const isPipeable = nest.isPipeable(type as ParameterType);
      const metadata = {
        type: tokens.exchangeEnumForString(type as ParameterType),
        metatype: metatype as Type | undefined,
        data,
        schema,
      } as ArgumentMetadata;
      return {
        index,
        extract: extractValue as Handle,
        isPipeable,
        pipes: isPipeable ? [...pipes, ...ownPipes].map((pipe: PipeTransform) => boundTo(metadata, pipe)) : [],
      };
    });
}

/** Uses the faster way only for our own pipe: a subclass, or a pipe with a replaced `transform`, may do something else. */
function boundTo(metadata: ArgumentMetadata, pipe: PipeTransform): (value: unknown) => unknown {
  const isOurs = pipe instanceof RequestValidationPipe && pipe.transform === RequestValidationPipe.prototype.transform;
  return isOurs ? pipe.forParameter(metadata) : (value) => pipe.transform(value, metadata) as unknown;
}
