import {
  ForbiddenException,
  type ArgumentMetadata,
  type CanActivate,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { FORBIDDEN_MESSAGE } from '@nestjs/core/guards/constants.js';
import type { HandlerMetadata, HandlerResponseBasicFn } from '@nestjs/core/helpers/handler-metadata-storage.js';
import { STATIC_CONTEXT } from '@nestjs/core/injector/constants.js';
import { ParamsTokenFactory } from '@nestjs/core/pipes/params-token-factory.js';
import { markRejectedByPipes } from '@nestjs/core/router/rejected-by-pipes.js';
import type { Request, Response } from 'express';
import { isObservable, lastValueFrom } from 'rxjs';
import { Answer } from '../answers/answer.js';
import { RequestReader } from '../requests/request-reader.js';
import type { RouteInput } from '../requests/route-input.js';
import { isOfBase } from '../requests/base-interceptor.js';
import { HttpExecutionContext } from './http-execution-context.js';
import type { Handle, HandleFactory, RouteArguments } from './nest-router.js';
import { isThenable } from './thenable.js';

type ParameterType = Parameters<ParamsTokenFactory['exchangeEnumForString']>[0];

/** Whether guards, pipes and what the handler returns decide about the answer, and nothing else does. */
export function isPlain(nest: HandleFactory, route: RouteArguments): boolean {
  const [controller, handler, methodName, moduleKey, , contextId = STATIC_CONTEXT, inquirerId] = route;
  const { getParamsMetadata, hasCustomHeaders, isSseHandler } = metadataOf(nest, route);
  return (
    contextId === STATIC_CONTEXT &&
    !isSseHandler &&
    !hasCustomHeaders &&
    (nest.reflectRedirect(handler) as unknown) === undefined &&
    (nest.reflectRenderTemplate(handler) as unknown) === undefined &&
    !nest.isResponseHandled(controller, methodName, getParamsMetadata(moduleKey)) &&
    nest.interceptorsContextCreator.create(controller, handler, moduleKey, contextId, inquirerId).every(isOfBase)
  );
}

function metadataOf(nest: HandleFactory, [controller, handler, name, module, method]: RouteArguments): HandlerMetadata {
  return nest.getMetadata(controller, handler, name, module, method, 'http');
}

/** A parameter of a handler: where its value comes from, and the pipes that it goes through. */
interface Parameter {
  readonly index: number;
  readonly extract: Handle;
  /** Other parameters, such as the response, go through no pipe, and not even a promise is waited for. */
  readonly isPipeable: boolean;
  readonly pipes: readonly PipeTransform[];
  readonly metadata: ArgumentMetadata;
}

/** A route whose answer is what its handler returns. */
export class PlainRoute {
  private readonly controller: object;
  private readonly handler: (...parameters: unknown[]) => unknown;
  private readonly guards: readonly CanActivate[];
  private readonly parameters: readonly Parameter[];
  private readonly metadata: HandlerMetadata;
  /** None in an application that does not read requests as this library does. */
  private readonly reader: RequestReader | undefined;
  private readonly input: RouteInput | undefined;

  constructor(
    private readonly nest: HandleFactory,
    route: RouteArguments,
  ) {
    const [controller, handler, , moduleKey, , contextId, inquirerId] = route;
    this.controller = controller;
    this.handler = handler;
    this.metadata = metadataOf(nest, route);
    this.guards = nest.guardsContextCreator.create(controller, handler, moduleKey, contextId, inquirerId);
    this.reader = nest.interceptorsContextCreator
      .create(controller, handler, moduleKey, contextId, inquirerId)
      .find((interceptor) => interceptor instanceof RequestReader);
    this.input = this.reader?.inputOf(controller.constructor as Type, handler);
    const pipes = nest.pipesContextCreator.create(controller, handler, moduleKey, contextId, inquirerId);
    const { getParamsMetadata, paramtypes } = this.metadata;
    const tokens = new ParamsTokenFactory();
    this.parameters = nest.contextUtils
      .mergeParamsMetatypes(getParamsMetadata(moduleKey, contextId, inquirerId), paramtypes)
      .map(({ index, extractValue, type, pipes: ownPipes, metatype, data, schema }) => {
        const isPipeable = nest.isPipeable(type as ParameterType);
        return {
          index,
          extract: extractValue as Handle,
          isPipeable,
          pipes: isPipeable ? [...pipes, ...ownPipes] : [],
          metadata: {
            type: tokens.exchangeEnumForString(type as ParameterType),
            metatype: metatype as Type | undefined,
            data,
            schema,
          } as ArgumentMetadata,
        };
      });
  }

  /** @returns a promise where a step gave one; it rejects with what the exception filters are to answer */
  readonly handle: Handle = (request, response, next) => {
    const context = new HttpExecutionContext(
      [request, response, next],
      this.controller.constructor as Type,
      this.handler,
    );
    const admitted = this.admit(context, 0);
    return admitted === undefined
      ? this.read(request, response, next)
      : admitted.then(() => this.read(request, response, next));
  };

  private read(request: Request, response: Response, next: () => void): unknown {
    const read = this.input && this.reader?.readInto(request, response, this.input);
    return read === undefined
      ? this.invoke(request, response, next)
      : read.then(() => this.invoke(request, response, next));
  }

  /** @throws ForbiddenException when a guard refuses */
  private admit(context: HttpExecutionContext, first: number): Promise<void> | undefined {
    for (let index = first; index < this.guards.length; index += 1) {
      const verdict = this.guards[index]?.canActivate(context);
      if (verdict === true) continue;
      if (verdict === false) throw new ForbiddenException(FORBIDDEN_MESSAGE);
      return Promise.resolve(verdict)
        .then((value) => (isObservable(value) ? lastValueFrom(value) : value))
        .then((admits) => {
          if (!admits) throw new ForbiddenException(FORBIDDEN_MESSAGE);
          return this.admit(context, index + 1);
        });
    }
    return undefined;
  }

  private invoke(request: Request, response: Response, next: () => void): unknown {
    this.nest.applicationRef.status(response, this.metadata.httpStatusCode);
    const values = new Array<unknown>(this.metadata.argsLength).fill(undefined);
    const pending = this.resolve(values, request, response, next);
    if (pending === undefined) return this.call(values, request, response);
    return pending.then(
      () => this.call(values, request, response),
      (error: unknown) => {
        markRejectedByPipes(request);
        throw error;
      },
    );
  }

  /** Every parameter is extracted, also when another one is refused; the first error counts. */
  private resolve(values: unknown[], ...exchange: Parameters<Handle>): Promise<unknown> | undefined {
    let pending: Promise<unknown>[] | undefined;
    for (const parameter of this.parameters) {
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
    return pending?.length === 1 ? pending[0] : pending && Promise.all(pending);
  }

  private call(values: unknown[], request: Request, response: Response): unknown {
    const result = this.handler.apply(this.controller, values);
    return isThenable(result)
      ? Promise.resolve(result).then((value) => this.answer(value, request, response))
      : this.answer(result, request, response);
  }

  private answer(result: unknown, request: Request, response: Response): unknown {
    if (result instanceof Answer) return void this.nest.applicationRef.reply(response, result);
    // It may be an observable or a stream: Nest knows.
    return (this.metadata.fnHandleResponse as HandlerResponseBasicFn)(result, response, request);
  }
}

function transform(value: unknown, parameter: Parameter, first: number): unknown {
  let transformed = value;
  for (let index = first; index < parameter.pipes.length; index += 1) {
    if (isThenable(transformed)) {
      return Promise.resolve(transformed).then((settled) => transform(settled, parameter, index));
    }
    transformed = parameter.pipes[index]?.transform(transformed, parameter.metadata);
  }
  return transformed;
}
