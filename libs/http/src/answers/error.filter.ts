import type { IncomingMessage, ServerResponse } from 'node:http';
import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { NO_FIELDS, type HeaderFields } from './answer.js';
import { RETRY_LATER, writeAnswer } from './write-answer.js';
import { codeForStatus, type ErrorCode } from '../errors/error-codes.js';
import { ErrorResponse } from '../errors/error.response.js';
import { STATUS_OF_KIND, type ErrorKind } from '../errors/request.errors.js';
import { SparseWarnings } from '../errors/sparse-warnings.js';

/** How an error of this service looks, whichever module throws it. */
interface KnownError extends Error {
  readonly kind: ErrorKind;
  readonly code: ErrorCode;
  /** The value of `WWW-Authenticate`. */
  readonly challenge?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Turns everything that is thrown into the Error body. What is not known becomes a 500 that says nothing of its cause. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);
  private readonly warnings = new SparseWarnings(this.logger);

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<ServerResponse>();
    // The client went away: there is nobody to tell.
    if (response.destroyed) return;
    const body = this.describe(thrown);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    writeAnswer(http.getRequest<IncomingMessage>(), response, body.status, fieldsOf(thrown), JSON.stringify(body));
  }

  private describe(thrown: unknown): ErrorResponse {
    if (isKnown(thrown)) {
      if (thrown.kind === 'unavailable') this.warnings.warn(thrown.message, thrown.cause ?? thrown);
      return new ErrorResponse(thrown.code, thrown.message, STATUS_OF_KIND[thrown.kind]);
    }
    if (thrown instanceof HttpException && thrown.getStatus() < 500) {
      const status = thrown.getStatus();
      // Nest's own 404 repeats the address in its message.
      if (status === 404) return ErrorResponse.nothingHere();
      return new ErrorResponse(codeForStatus(status), thrown.message, status);
    }
    this.logger.error({ err: thrown }, 'A request failed');
    return ErrorResponse.failure();
  }
}

function isKnown(thrown: unknown): thrown is KnownError {
  return thrown instanceof Error && 'code' in thrown && 'kind' in thrown && (thrown.kind as string) in STATUS_OF_KIND;
}

function fieldsOf(thrown: unknown): HeaderFields {
  if (!isKnown(thrown)) return NO_FIELDS;
  return [
    ...Object.entries(thrown.headers ?? {}).flat(),
    ...(thrown.challenge === undefined ? [] : ['WWW-Authenticate', thrown.challenge]),
    ...(thrown.kind === 'unavailable' ? RETRY_LATER : []),
  ];
}

export const errorFilterProvider = { provide: APP_FILTER, useClass: ErrorFilter };
