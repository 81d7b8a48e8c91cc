import { STATUS_CODES, type ServerResponse } from 'node:http';
import {
  Catch,
  HttpException,
  Inject,
  Injectable,
  Logger,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import type { KnownError } from '@animal-store/kernel';
import { RETRY_LATER, writeError, type HeaderFields } from '../response-headers.js';
import { codeForStatus, ErrorCodes, STATUS_OF_KIND } from './error-codes.js';
import { ErrorResponse, RefusedByParser } from './error-response.js';
import { joined } from './sentences.js';

/** Translates an error of a library without a kind or an HTTP status. Returns an unknown error unchanged. */
export type ErrorTranslation = (thrown: unknown) => unknown;

/** The token of the {@link ErrorTranslation} of an application. */
export const ERROR_TRANSLATION = Symbol('error translation');

/** For how long one line of the log stands for all warnings with the same message, in milliseconds. */
const ONE_WARNING_PER_MS = 1_000;

/** The number of messages of warnings that are remembered. There are a few, unless one holds what a client sent. */
const MAX_WARNINGS = 100;

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
  /** When a warning was logged, by its message, in the time of `performance.now()`. */
  private readonly warnedAt = new Map<string, number>();

  constructor(
    private readonly codes: ErrorCodes,
    @Inject(ERROR_TRANSLATION) private readonly translate: ErrorTranslation,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<ServerResponse>();
    // The client disconnected: there is no response to write.
    if (response.destroyed || response.socket?.destroyed === true) return;
    const thrown = isKnown(error) || error instanceof HttpException ? error : this.translate(error);
    const body = this.describe(thrown);
    if (response.headersSent) response.destroy();
    else writeError(response, body, fieldsFor(thrown, body.status, response));
  }

  private describe(thrown: unknown): ErrorResponse {
    if (thrown instanceof RefusedByParser) return thrown.response;
    if (isKnown(thrown)) return this.describeKnown(thrown);
    const failure = failureOf(thrown);
    if (failure === undefined || failure.status === 500) {
      this.logger.error({ err: thrown }, 'A request failed');
      return ErrorResponse.failure();
    }
    const { status, message, code = '' } = failure;
    if (status === 503) this.warn(message, causeOf(thrown));
    else if (status > 500) this.logger.error({ err: thrown }, 'A request failed');
    return new ErrorResponse(this.codes.has(code) ? code : codeForStatus(status), message, status);
  }

  private describeKnown(thrown: KnownError): ErrorResponse {
    const { kind, code, message, logFields } = thrown;
    if (kind === 'unavailable' && thrown.isLogged !== true) this.warn(message, causeOf(thrown));
    if (logFields !== undefined)
      this.logger.log({ ...logFields, err: causeOf(thrown) }, 'The database refused a request');
    return new ErrorResponse(code, message, STATUS_OF_KIND[kind]);
  }

  /** Such warnings may come with every request, for example while the database is down. */
  private warn(message: string, error: unknown): void {
    const now = performance.now();
    if (now - (this.warnedAt.get(message) ?? -Infinity) < ONE_WARNING_PER_MS) return;
    if (this.warnedAt.size >= MAX_WARNINGS) this.warnedAt.clear();
    this.warnedAt.set(message, now);
    this.logger.warn({ err: error }, message);
  }
}

function fieldsFor(thrown: unknown, status: number, response: ServerResponse): HeaderFields {
  const challenge = isKnown(thrown) ? thrown.challenge : undefined;
  if (challenge !== undefined) return ['WWW-Authenticate', challenge];
  return status === 503 && !response.hasHeader('Retry-After') ? RETRY_LATER : [];
}

function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
}

function isKnown(thrown: unknown): thrown is KnownError {
  if (!(thrown instanceof Error)) return false;
  const { kind, code } = thrown as Partial<KnownError>;
  return typeof code === 'string' && typeof kind === 'string' && Object.hasOwn(STATUS_OF_KIND, kind);
}

/** What an error with an HTTP status asks for: an exception of Nest, or one of `http-errors`, which middleware throws. */
function failureOf(thrown: unknown): { status: number; message: string; code?: string | undefined } | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { status: own, expose } = thrown as Error & { readonly status?: unknown; readonly expose?: unknown };
  const status = thrown instanceof HttpException ? thrown.getStatus() : own;
  if (typeof status !== 'number' || status < 400 || status > 599) return undefined;
  if (!(thrown instanceof HttpException))
    return typeof expose === 'boolean' ? { status, message: textFor(status, expose ? thrown.message : '') } : undefined;
  const response = thrown.getResponse();
  // For example `new UnauthorizedException(error)`: the message of that error is not meant for the client.
  if (response instanceof Error) return { status, message: textFor(status) };
  const { code } = (typeof response === 'object' ? response : {}) as { readonly code?: unknown };
  return {
    status,
    message: textFor(status, messageIn(response) ?? thrown.message),
    code: thrown.errorCode ?? (typeof code === 'string' ? code : undefined),
  };
}

/** The message in the body of a response of Nest, which may be a list: the violations of a validation. */
function messageIn(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  const message: unknown = Array.isArray(body) ? body : (body as { readonly message?: unknown } | null)?.message;
  if (Array.isArray(message)) return joined(message.map(String));
  return typeof message === 'string' ? message : undefined;
}

/**
 * The Error body for the body of an error response that Nest makes itself, for example in a filter that extends its
 * `BaseExceptionFilter`.
 */
export function errorResponseOf(body: unknown, status: number): ErrorResponse {
  if (status === 500) return ErrorResponse.failure();
  return new ErrorResponse(codeForStatus(status), textFor(status, messageIn(body)), status);
}

/** A message, or the name of the status where there is none. */
function textFor(status: number, message = ''): string {
  return message === '' ? (STATUS_CODES[status] ?? 'Error') : message;
}
