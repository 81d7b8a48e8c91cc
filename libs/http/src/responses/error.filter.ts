import type { IncomingMessage, ServerResponse } from 'node:http';
import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { APP_FILTER, BaseExceptionFilter, HttpAdapterHost } from '@nestjs/core';
import type { Express, Request } from 'express';
import { NO_FIELDS, type HeaderFields } from './http-response.js';
import { RETRY_LATER, writeError } from './response-writer.js';
import { codeForStatus, ErrorCodes, STATUS_OF_KIND } from '../errors/error-codes.js';
import { ErrorResponse } from '../errors/error.response.js';
import { httpFailureOf, isKnown, type HttpFailure, type KnownError } from '../errors/thrown-errors.js';
import { ThrottledLogger } from '../errors/throttled-logger.js';
import { targetOf } from '../requests/request-target.js';

/** The token of the challenge for every 401 whose error has none of its own (RFC 9110, section 15.5.2). */
export const CHALLENGE = Symbol('challenge');

/** The token of {@link ErrorTranslation}. */
export const ERROR_TRANSLATION = Symbol('translation of errors');

/** Translates an error of a library without a kind or an HTTP status. Returns an unknown error unchanged. */
export type ErrorTranslation = (thrown: unknown) => unknown;

/**
 * Turns everything that is thrown into an Error body: errors with a `kind` and a `code`, exceptions of Nest, and errors
 * of middleware with their own status. Any other error becomes a 500 that says nothing about its cause.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);
  private readonly warnings = new ThrottledLogger(this.logger);

  /** @param challenge the value of `WWW-Authenticate` */
  constructor(
    private readonly codes: ErrorCodes,
    private readonly challenge: string,
    private readonly translate: ErrorTranslation = (thrown) => thrown,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const thrown = isKnown(error) || error instanceof HttpException ? error : this.translate(error);
    const http = host.switchToHttp();
    const request = http.getRequest<IncomingMessage>();
    const response = http.getResponse<ServerResponse>();
    // The client disconnected: there is no response to write.
    if (response.destroyed) return;
    const body = this.describe(thrown, request);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    writeError(request, response, body, this.fieldsOf(thrown, body.status, response));
  }

  private describe(thrown: unknown, request: IncomingMessage): ErrorResponse {
    if (isKnown(thrown)) {
      if (thrown.kind === 'unavailable' && thrown.isLogged !== true)
        this.warnings.warn(thrown.message, thrown.cause ?? thrown);
      return new ErrorResponse(thrown.code, thrown.message, STATUS_OF_KIND[thrown.kind]);
    }
    const failure = httpFailureOf(thrown);
    return failure === undefined ? this.failureOf(thrown) : this.describeFailure(failure, thrown, request);
  }

  private describeFailure(
    { status, message, code }: HttpFailure,
    thrown: unknown,
    request: IncomingMessage,
  ): ErrorResponse {
    if (status === 500) return this.failureOf(thrown);
    if (status === 503) this.warnings.warn(message, causeOf(thrown));
    else if (status > 500) this.logger.error({ err: thrown }, 'A request failed');
    // Nest's own 404, which repeats the address.
    if (status === 404 && message === `Cannot ${request.method ?? ''} ${targetOf(request)}`)
      return ErrorResponse.nothingHere();
    const isRegistered = code !== undefined && this.codes.find(code) !== undefined;
    return new ErrorResponse(isRegistered ? code : codeForStatus(status), message, status);
  }

  private failureOf(thrown: unknown): ErrorResponse {
    this.logger.error({ err: thrown }, 'A request failed');
    return ErrorResponse.failure();
  }

  private fieldsOf(thrown: unknown, status: number, response: ServerResponse): HeaderFields {
    const { headers = {}, challenge } = isKnown(thrown) ? thrown : ({} as Partial<KnownError>);
    const isUnchallenged = status === 401 && !response.hasHeader('WWW-Authenticate');
    const value = challenge ?? (isUnchallenged ? this.challenge : undefined);
    return [
      ...Object.entries(headers).flat(),
      ...(value === undefined ? NO_FIELDS : ['WWW-Authenticate', value]),
      ...(status === 503 && !response.hasHeader('Retry-After') ? RETRY_LATER : NO_FIELDS),
    ];
  }
}

function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
}

/** The setting of Express in which requests find the filter of their application. */
const ERROR_FILTER_SETTING = 'animal-store error filter';

export const errorFilterProvider = {
  provide: APP_FILTER,
  useFactory: (
    codes: ErrorCodes,
    challenge: string,
    { httpAdapter }: HttpAdapterHost,
    translate?: ErrorTranslation,
  ): ErrorFilter => {
    const filter = new ErrorFilter(codes, challenge, translate);
    httpAdapter.getInstance<Express>().set(ERROR_FILTER_SETTING, filter);
    return filter;
  },
  inject: [ErrorCodes, CHALLENGE, HttpAdapterHost, { token: ERROR_TRANSLATION, optional: true }],
};

/**
 * A filter of a module that extends Nest's `BaseExceptionFilter` passes an error on with `super.catch(error, host)`.
 * Nest's method knows no kinds and codes, and would make a 500 of a domain error; there is no other place to tell it.
 * The filter of the request's application answers instead.
 */
// eslint-disable-next-line @typescript-eslint/unbound-method -- called with the filter
const catchOfNest = BaseExceptionFilter.prototype.catch;

BaseExceptionFilter.prototype.catch = function (this: BaseExceptionFilter, exception: unknown, host: ArgumentsHost) {
  const app = host.getType() === 'http' ? host.switchToHttp().getRequest<Partial<Request>>().app : undefined;
  const filter = app?.get(ERROR_FILTER_SETTING) as ErrorFilter | undefined;
  if (filter === undefined) catchOfNest.call(this, exception, host);
  else filter.catch(exception, host);
};
