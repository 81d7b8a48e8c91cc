import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import {
  Catch,
  HttpException,
  Inject,
  Injectable,
  Logger,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import type { ErrorKind } from '@animal-store/kernel';
import { NO_FIELDS, type HeaderFields } from './http-response.js';
import { RETRY_LATER, writeError } from './write-response.js';
import { targetOf } from '../requests/request-target.js';
import { codeForStatus, ErrorCodes, STATUS_OF_KIND } from '../errors/error-codes.js';
import { ErrorResponse } from '../errors/error-response.js';
import { bounded, RequestError } from '../errors/request.errors.js';
import { ThrottledLogger } from '../errors/throttled-logger.js';

/** Translates an error of a library without a kind or an HTTP status. Returns an unknown error unchanged. */
export type ErrorTranslation = (thrown: unknown) => unknown;

/** The token of what an application adds to the errors of its base. */
export const ERROR_OPTIONS = Symbol('error options');

export interface ErrorOptions {
  readonly translate: ErrorTranslation;
}

/**
 * Turns everything that is thrown into an Error body: errors with a `kind` and a `code`, exceptions of Nest, and errors
 * of middleware with their own status. Any other error becomes a 500 that says nothing about its cause.
 *
 * A filter of a module that wants this response extends the class, and calls `super.catch(error, host)`.
 */
@Catch()
@Injectable()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);
  private readonly warnings = new ThrottledLogger(this.logger);

  constructor(
    private readonly codes: ErrorCodes,
    @Inject(ERROR_OPTIONS) private readonly options: ErrorOptions,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const isOurs = isKnown(error) || error instanceof RequestError || error instanceof HttpException;
    const thrown = isOurs ? error : this.options.translate(error);
    const http = host.switchToHttp();
    const request = http.getRequest<IncomingMessage>();
    const response = http.getResponse<ServerResponse>();
    // The client disconnected: there is no response to write.
    if (response.destroyed) return;
    const body = this.describe(thrown, request);
    if (response.headersSent) response.destroy();
    else writeError(response, body, this.fieldsOf(thrown, body.status, response));
  }

  private describe(thrown: unknown, request: IncomingMessage): ErrorResponse {
    if (thrown instanceof RequestError) return thrown.response;
    if (isKnown(thrown)) {
      if (thrown.kind === 'unavailable' && thrown.isLogged !== true)
        this.warnings.warn(thrown.message, thrown.cause ?? thrown);
      if (thrown.logFields !== undefined)
        this.logger.log({ ...thrown.logFields, err: causeOf(thrown) }, 'The database refused a request');
      if (thrown.isStale === true && request.headers['if-match'] !== undefined)
        return new ErrorResponse('precondition_failed', thrown.message, STATUS_OF_KIND.precondition_failed);
      return new ErrorResponse(thrown.code, thrown.message, STATUS_OF_KIND[thrown.kind]);
    }
    const failure = httpFailureOf(thrown);
    return failure === undefined ? this.failureOf(thrown) : this.describeFailure(failure, thrown, request);
  }

  private describeFailure(failure: HttpFailure, thrown: unknown, request: IncomingMessage): ErrorResponse {
    const { status, message, code } = failure;
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
    const headers = thrown instanceof RequestError ? thrown.headers : {};
    const challenge = isKnown(thrown) ? thrown.challenge : undefined;
    return [
      ...Object.entries(headers).flat(),
      ...(challenge === undefined ? NO_FIELDS : ['WWW-Authenticate', challenge]),
      ...(status === 503 && !response.hasHeader('Retry-After') ? RETRY_LATER : NO_FIELDS),
    ];
  }
}

function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
}

/** An error of this service, whichever module throws it. */
interface KnownError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  /** The value of `WWW-Authenticate`. */
  readonly challenge?: string;
  /** The code that threw it has already logged the reason. */
  readonly isLogged?: true;
  /** What the log says of it, beside its cause. */
  readonly logFields?: Readonly<Record<string, unknown>>;
  /** What is stored has another version than the caller knows. */
  readonly isStale?: true;
}

/** Whether an error has the form of this service's errors. */
function isKnown(thrown: unknown): thrown is KnownError {
  return (
    thrown instanceof Error &&
    'code' in thrown &&
    typeof thrown.code === 'string' &&
    'kind' in thrown &&
    Object.hasOwn(STATUS_OF_KIND, thrown.kind as string)
  );
}

/** The response that an error with an HTTP status asks for. */
interface HttpFailure {
  /** From 400 to 599. */
  readonly status: number;
  readonly message: string;
  /** The code that the error asks for, registered or not. */
  readonly code?: string | undefined;
}

/** Reads the response from an exception of Nest or an error of Express middleware; `undefined` for any other error. */
function httpFailureOf(thrown: unknown): HttpFailure | undefined {
  const failure = thrown instanceof HttpException ? ofException(thrown) : ofMiddleware(thrown);
  const isError = failure !== undefined && Number.isInteger(failure.status) && failure.status >= 400;
  return isError && failure.status <= 599 ? failure : undefined;
}

function ofException(exception: HttpException): HttpFailure {
  const status = exception.getStatus();
  const response = exception.getResponse();
  // For example `new UnauthorizedException(error)`: the message of that error is not meant for the client.
  if (response instanceof Error) return { status, message: standardMessage(status), code: exception.errorCode };
  const { code } = (typeof response === 'object' ? response : {}) as Record<string, unknown>;
  return {
    status,
    message: messageIn(response) ?? (exception.message === '' ? standardMessage(status) : exception.message),
    code: exception.errorCode ?? (typeof code === 'string' ? code : undefined),
  };
}

/** The message in the body of a response of Nest, which may be a list: the violations of a validation. */
function messageIn(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  const message: unknown = Array.isArray(body) ? body : (body as { readonly message?: unknown } | null)?.message;
  if (!Array.isArray(message)) return typeof message === 'string' ? message : undefined;
  return message.length === 0 ? undefined : bounded(message.map(String), '; ', (left) => `; and ${left} more`);
}

/** The errors of `http-errors`, which most middleware throws. Nest makes exceptions of those of Multer. */
function ofMiddleware(thrown: unknown): HttpFailure | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { status, statusCode, expose } = thrown as Error & Record<string, unknown>;
  if (typeof expose !== 'boolean' || typeof status !== 'number' || status !== statusCode) return undefined;
  return { status, message: expose && thrown.message !== '' ? thrown.message : standardMessage(status) };
}

/**
 * The Error body for the body of an error response that Nest makes itself, for example in a filter that extends its
 * `BaseExceptionFilter`.
 */
export function errorResponseOf(body: unknown, status: number): ErrorResponse {
  if (status === 500) return ErrorResponse.failure();
  return new ErrorResponse(codeForStatus(status), messageIn(body) ?? standardMessage(status), status);
}

function standardMessage(status: number): string {
  return STATUS_CODES[status] ?? 'Error';
}
