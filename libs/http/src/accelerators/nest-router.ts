import type { INestApplication } from '@nestjs/common';
import type { ExceptionsHandler } from '@nestjs/core/exceptions/exceptions-handler.js';
import type { GuardsContextCreator } from '@nestjs/core/guards/guards-context-creator.js';
import type { ContextUtils } from '@nestjs/core/helpers/context-utils.js';
import type { InterceptorsContextCreator } from '@nestjs/core/interceptors/interceptors-context-creator.js';
import type { PipesContextCreator } from '@nestjs/core/pipes/pipes-context-creator.js';
import type { ParamProperties, RouterExecutionContext } from '@nestjs/core/router/router-execution-context.js';
import type { Request, Response } from 'express';

export type RouteArguments = Parameters<RouterExecutionContext['create']>;
/** Answers a request, or calls `next`. */
export type Handle = (request: Request, response: Response, next: () => void) => unknown;

/** What makes the handles of Nest's routes, with what its types keep private. */
export type HandleFactory = Omit<RouterExecutionContext, 'create'> & {
  create: (...route: RouteArguments) => Handle;
  readonly guardsContextCreator: GuardsContextCreator;
  readonly pipesContextCreator: PipesContextCreator;
  readonly interceptorsContextCreator: InterceptorsContextCreator;
  readonly contextUtils: ContextUtils;
  isResponseHandled: (controller: object, methodName: string, parameters: readonly ParamProperties[]) => boolean;
};

/** What makes the functions that Express calls: a handle, and behind it the exception filters of its route. */
interface ProxyFactory {
  createProxy: (handle: Handle, filters: ExceptionsHandler) => Handle;
}

/** The two parts of Nest that stand between Express and a controller. */
interface Router {
  readonly executionContextCreator: HandleFactory;
  readonly routerProxy: ProxyFactory;
}

/** The router of an application. Nest's types hide the way there; its version is pinned. */
export function routerOf(app: INestApplication): Router {
  const { routesResolver } = app as unknown as { readonly routesResolver: { readonly routerExplorer: Router } };
  return routesResolver.routerExplorer;
}
