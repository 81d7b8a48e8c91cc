import {
  ForbiddenException,
  type ArgumentMetadata,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { FORBIDDEN_MESSAGE } from '@nestjs/core/guards/constants.js';
import { STATIC_CONTEXT } from '@nestjs/core/injector/constants.js';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { HandlerMetadata, HandlerResponseBasicFn } from '@nestjs/core/helpers/handler-metadata-storage.js';
import { ParamsTokenFactory } from '@nestjs/core/pipes/params-token-factory.js';
import { markRejectedByPipes } from '@nestjs/core/router/rejected-by-pipes.js';
import { isObservable, lastValueFrom } from 'rxjs';
import { HttpResponse } from '../responses/http-response.js';
import {
  handleFactoryOf,
  metadataOf,
  MissingPartError,
  type Handle,
  type HandleFactory,
  type RouteArguments,
} from './nest-router.js';

/**
 * Executes routes with fewer promises: a guard, a pipe or a handler is awaited only if it returns a promise. Nest
 * itself awaits every step and every function around it. Steps, order and errors are the same as in Nest, which
 * executes the routes that need more features (docs/adr/0012).
 *
 * @param leave called with the reason if a route is left to Nest because a private part has changed
 * @throws MissingPartError if a part of the router is missing; nothing has been changed then
 */
export function executeRoutesDirectly(app: INestApplication, leave: (reason: unknown) => void): void {
  const nest = handleFactoryOf(app);
  const createByNest = nest.create.bind(nest);
  nest.create = (...route) => {
    const byNest = createByNest(...route);
    try {
      const metadata = metadataOf(nest, route);
      return isPlain(nest, route, metadata) ? directly(nest, route, metadata) : byNest;
    } catch (error) {
      leave(error);
      return byNest;
    }
  };
}

/** Whether only guards, pipes and the result of the handler decide about the response. */
function isPlain(nest: HandleFactory, route: RouteArguments, metadata: HandlerMetadata): boolean {
  const [controller, handler, methodName, moduleKey, , contextId, inquirerId] = route;
  return (
    // Otherwise the controller is made for each request.
    contextId === STATIC_CONTEXT &&
    !metadata.isSseHandler &&
    !metadata.hasCustomHeaders &&
    (nest.reflectRedirect(handler) as unknown) === undefined &&
    (nest.reflectRenderTemplate(handler) as unknown) === undefined &&
    !nest.isResponseHandled(controller, methodName, metadata.getParamsMetadata(moduleKey)) &&
    nest.interceptorsContextCreator.create(controller, handler, moduleKey, contextId, inquirerId).length === 0
  );
}

/** The handler of a plain route. It returns a promise only if a step returned one. */
function directly(nest: HandleFactory, route: RouteArguments, metadata: HandlerMetadata): Handle {
  const [controller, handler, , moduleKey, , contextId, inquirerId] = route;
  const { argsLength, fnHandleResponse, httpStatusCode } = metadata;
  const guards: readonly CanActivate[] = nest.guardsContextCreator.create(
    controller,
    handler,
    moduleKey,
    contextId,
    inquirerId,
  );
  const parameters = parametersOf(nest, route, metadata);
  const type = controller.constructor as Type;

  return (request, response, next) => {
    const respond = (result: unknown): unknown =>
      result instanceof HttpResponse
        ? void nest.applicationRef.reply(response, result)
        : // The result may be an observable or a stream: Nest handles it.
          (fnHandleResponse as HandlerResponseBasicFn)(result, response, request);
    const call = (values: unknown[]): unknown => {
      const result = (handler as (...values: unknown[]) => unknown).apply(controller, values);
      return isThenable(result) ? Promise.resolve(result).then(respond) : respond(result);
    };
    const refuse = (error: unknown): never => {
      markRejectedByPipes(request);
      throw error;
    };
    const invoke = (): unknown => {
      nest.applicationRef.status(response, httpStatusCode);
      const values = new Array<unknown>(argsLength).fill(undefined);
      const pending = resolveAll(parameters, values, [request, response, next]);
      return pending === undefined ? call(values) : pending.then(() => call(values), refuse);
    };
    const admitted = admit(guards, new ExecutionContextHost([request, response, next], type, handler), 0);
    return admitted === undefined ? invoke() : admitted.then(invoke);
  };
}

/** A parameter of a handler: the source of its value, and its pipes. */
interface Parameter {
  readonly index: number;
  readonly extract: Handle;
  /** False for parameters such as the response: they have no pipes, and even a promise is not awaited. */
  readonly isPipeable: boolean;
  readonly pipes: readonly ((value: unknown) => unknown)[];
}

type ParameterType = Parameters<ParamsTokenFactory['exchangeEnumForString']>[0];

/**
 * The parameters of the handler of a route.
 *
 * @throws MissingPartError
 */
function parametersOf(nest: HandleFactory, route: RouteArguments, metadata: HandlerMetadata): Parameter[] {
  const [controller, handler, , moduleKey, , contextId, inquirerId] = route;
  const pipes = nest.pipesContextCreator.create(controller, handler, moduleKey, contextId, inquirerId);
  const tokens = new ParamsTokenFactory();
  return nest.contextUtils
    .mergeParamsMetatypes(metadata.getParamsMetadata(moduleKey, contextId, inquirerId), metadata.paramtypes)
    .map(({ index, extractValue, type, pipes: ownPipes, metatype, data, schema }) => {
      if (typeof extractValue !== 'function' || typeof index !== 'number' || !Array.isArray(ownPipes)) {
        throw new MissingPartError('ParamProperties');
      }
      const isPipeable = nest.isPipeable(type as ParameterType);
      const about = {
        type: tokens.exchangeEnumForString(type as ParameterType),
        metatype: metatype as Type | undefined,
        data,
        schema,
      } as ArgumentMetadata;
      const bind = (pipe: PipeTransform) => (value: unknown) => pipe.transform(value, about) as unknown;
      return {
        index,
        extract: extractValue as Handle,
        isPipeable,
        pipes: isPipeable ? [...pipes, ...ownPipes].map(bind) : [],
      };
    });
}

/** @throws ForbiddenException, immediately or as a rejection, if a guard refuses the request */
function admit(guards: readonly CanActivate[], context: ExecutionContext, first: number): Promise<void> | undefined {
  for (let index = first; index < guards.length; index += 1) {
    const verdict = guards[index]?.canActivate(context);
    if (verdict === true) continue;
    if (verdict === false) throw new ForbiddenException(FORBIDDEN_MESSAGE);
    return Promise.resolve(verdict)
      .then((value) => (isObservable(value) ? lastValueFrom(value) : value))
      .then((admits) => {
        if (!admits) throw new ForbiddenException(FORBIDDEN_MESSAGE);
        return admit(guards, context, index + 1);
      });
  }
  return undefined;
}

/** Extracts every parameter, even if another one is refused. The first error is thrown, as a rejection. */
function resolveAll(
  parameters: readonly Parameter[],
  values: unknown[],
  exchange: Parameters<Handle>,
): Promise<unknown> | undefined {
  let pending: Promise<unknown>[] | undefined;
  for (const parameter of parameters) {
    try {
      const value = transform(parameter.extract(...exchange), parameter, 0);
      if (parameter.isPipeable && isThenable(value)) {
        const settled = Promise.resolve(value).then((resolved) => {
          values[parameter.index] = resolved;
        });
        (pending ??= []).push(settled);
      } else {
        values[parameter.index] = value;
      }
    } catch (error) {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what a pipe throws is passed on as it is
      (pending ??= []).push(Promise.reject(error));
    }
  }
  return pending && Promise.all(pending);
}

function transform(value: unknown, parameter: Parameter, first: number): unknown {
  let transformed = value;
  for (let index = first; index < parameter.pipes.length; index += 1) {
    if (isThenable(transformed)) {
      return Promise.resolve(transformed).then((settled) => transform(settled, parameter, index));
    }
    transformed = parameter.pipes[index]?.(transformed);
  }
  return transformed;
}

/** Whether `await` would wait for the value: promises, including those of other libraries. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    value !== null &&
    (typeof value === 'object' || typeof value === 'function') &&
    typeof (value as { readonly then?: unknown }).then === 'function'
  );
}
