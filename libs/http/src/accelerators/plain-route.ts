import type { ExceptionsHandler } from '@nestjs/core/exceptions/exceptions-handler.js';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import {
  type Handle,
  metadataOf,
  parametersOf,
  type HandleFactory,
  type Parameter,
  type RouteArguments,
} from './nest-router.js';
import { ForbiddenException, type CanActivate, type Type } from '@nestjs/common';
import { FORBIDDEN_MESSAGE } from '@nestjs/core/guards/constants.js';
import type { HandlerMetadata, HandlerResponseBasicFn } from '@nestjs/core/helpers/handler-metadata-storage.js';
import { markRejectedByPipes } from '@nestjs/core/router/rejected-by-pipes.js';
import type { Request, Response } from 'express';
import { isObservable, lastValueFrom } from 'rxjs';
import { HttpResponse } from '../responses/http-response.js';

/** Whether `await` would wait for the value: promises, including those of other libraries. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    value !== null &&
    (typeof value === 'object' || typeof value === 'function') &&
    typeof (value as { readonly then?: unknown }).then === 'function'
  );
}

type HttpArgumentsHost = ReturnType<ExecutionContextHost['switchToHttp']>;

/** The execution context for guards. Nest's own context creates these functions again in each call of `switchToHttp()`. */
class HttpExecutionContext extends ExecutionContextHost implements HttpArgumentsHost {
  override switchToHttp(): HttpArgumentsHost {
    return this;
  }

  getRequest(): never {
    return this.getArgByIndex(0);
  }

  getResponse(): never {
    return this.getArgByIndex(1);
  }

  getNext(): never {
    return this.getArgByIndex(2);
  }
}

/** Passes what the handler throws or rejects with to the exception filters. */
export function withFilters(handle: Handle, filters: ExceptionsHandler): Handle {
  return (request, response, next) => {
    const filter = (error: Error) => {
      filters.next(error, new ExecutionContextHost([request, response, next]));
    };
    try {
      const pending = handle(request, response, next);
      return isThenable(pending) ? pending.then(undefined, filter) : undefined;
    } catch (error) {
      filter(error as Error);
      return undefined;
    }
  };
}

/**
 * A route whose response is the result of its handler. A step returns a promise only if it must wait: promises for all
 * steps cost a sixth of the requests on W6 (ADR 0012).
 */
export class PlainRoute {
  private readonly controller: object;
  private readonly handler: (...parameters: unknown[]) => unknown;
  private readonly guards: readonly CanActivate[];
  private readonly parameters: readonly Parameter[];
  private readonly metadata: HandlerMetadata;

  constructor(
    private readonly nest: HandleFactory,
    route: RouteArguments,
  ) {
    const [controller, handler, , moduleKey, , contextId, inquirerId] = route;
    this.controller = controller;
    this.handler = handler;
    this.metadata = metadataOf(nest, route);
    this.guards = nest.guardsContextCreator.create(controller, handler, moduleKey, contextId, inquirerId);
    this.parameters = parametersOf(nest, route);
  }

  /** @returns a promise only if a step returned one; it rejects with the error for the exception filters */
  readonly handle: Handle = (request, response, next) => {
    const context = new HttpExecutionContext(
      [request, response, next],
      this.controller.constructor as Type,
      this.handler,
    );
    const admitted = this.admit(context, 0);
    return admitted === undefined
      ? this.invoke(request, response, next)
      : admitted.then(() => this.invoke(request, response, next));
  };

  /** @throws ForbiddenException if a guard refuses the request */
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

  /** Extracts every parameter, even if another one is refused. The first error is thrown. */
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
      ? Promise.resolve(result).then((value) => this.respond(value, request, response))
      : this.respond(result, request, response);
  }

  private respond(result: unknown, request: Request, response: Response): unknown {
    if (result instanceof HttpResponse || isData(result)) return void this.nest.applicationRef.reply(response, result);
    // The result may be an observable or a stream: Nest handles it.
    return (this.metadata.fnHandleResponse as HandlerResponseBasicFn)(result, response, request);
  }
}

/** Whether the result is a plain object or list, which Nest would pass to the adapter unchanged. */
function isData(result: unknown): boolean {
  if (typeof result !== 'object' || result === null) return false;
  const prototype: unknown = Object.getPrototypeOf(result);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return false;
  return !(Symbol.asyncIterator in result || Symbol.toStringTag in result || 'subscribe' in result);
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
