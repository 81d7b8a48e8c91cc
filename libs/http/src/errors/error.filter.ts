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
import { rootCauseMessage, type KnownError } from '@animal-store/kernel';
import { stateOf } from '../request-context.js';
import { RETRY_LATER, writeError, type HeaderFields } from '../response-headers.js';
import { codeForStatus, STATUS_OF_KIND } from './error-codes.js';
import { ErrorResponse } from './error-response.js';
import { joinSentences } from './sentences.js';

/** Translates an error of a library without a kind or an HTTP status. Returns an unknown error unchanged. */
export type ErrorTranslation = (thrown: unknown) => unknown;

/** The token of the {@link ErrorTranslation} of an application. */
export const ERROR_TRANSLATION = Symbol('error translation');

/**
 * Turns everything that is thrown into an Error body: errors with a `kind` and a `code`, exceptions of Nest, and errors
 * of middleware with their own status. Any other error becomes a 500 that says nothing about its cause. A filter of a module
 * extends the class, and calls `super.catch(error, host)`.
 */
@Catch()
@Injectable()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  constructor(@Inject(ERROR_TRANSLATION) private readonly translate: ErrorTranslation) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<ServerResponse>();
    // The client disconnected: there is no response to write.
    if (response.destroyed || response.socket?.destroyed === true) return;
    const thrown = isKnown(error) || error instanceof HttpException ? error : this.translate(error);
    const body = this.responseTo(thrown);
    if (body.status >= 500 && body.status !== 503) this.logger.error({ err: thrown }, 'A request failed');
    else if (thrown instanceof Error && (body.status === 503 || thrown.cause !== undefined))
      stateOf(response).reason = rootCauseMessage(thrown);
    if (response.headersSent) response.destroy();
    else writeError(response, body, fieldsFor(thrown, body.status, response));
  }

  private responseTo(thrown: unknown): ErrorResponse {
    if (isKnown(thrown)) return new ErrorResponse(thrown.code, thrown.message, STATUS_OF_KIND[thrown.kind]);
    if (!(thrown instanceof HttpException)) return responseToHttpError(thrown);
    const response = thrown.getResponse();
    // For example `new UnauthorizedException(error)`: the message of that error is not meant for the client.
    const message = response instanceof Error ? '' : (messageIn(response) ?? thrown.message);
    return errorResponseOf(message, thrown.getStatus());
  }
}

function fieldsFor(thrown: unknown, status: number, response: ServerResponse): HeaderFields {
  const challenge = isKnown(thrown) ? thrown.challenge : undefined;
  if (challenge !== undefined) return ['WWW-Authenticate', challenge];
  return status === 503 && !response.hasHeader('Retry-After') ? RETRY_LATER : [];
}

function isKnown(thrown: unknown): thrown is KnownError {
  if (!(thrown instanceof Error)) return false;
  const { kind, code } = thrown as Partial<KnownError>;
  return typeof code === 'string' && typeof kind === 'string' && Object.hasOwn(STATUS_OF_KIND, kind);
}

/** The response to an error of `http-errors`, which middleware throws; any other error is a defect. */
function responseToHttpError(thrown: unknown): ErrorResponse {
  if (!(thrown instanceof Error)) return ErrorResponse.failure();
  const { status, expose } = thrown as Error & { readonly status?: unknown; readonly expose?: unknown };
  const isHttpError = typeof status === 'number' && typeof expose === 'boolean';
  return isHttpError ? errorResponseOf(expose ? thrown.message : '', status) : ErrorResponse.failure();
}

/** The message in the body of a response of Nest, which may be a list: the violations of a validation. */
function messageIn(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  const message: unknown = Array.isArray(body) ? body : (body as { readonly message?: unknown } | null)?.message;
  if (Array.isArray(message)) return joinSentences(message.map(String));
  return typeof message === 'string' ? message : undefined;
}

/** The Error body for the body of an error response of Nest. A message that is empty is the name of the status. */
export function errorResponseOf(body: unknown, status: number): ErrorResponse {
  if (status === 500 || status < 400 || status > 599) return ErrorResponse.failure();
  const message = messageIn(body) ?? '';
  return new ErrorResponse(codeForStatus(status), message === '' ? (STATUS_CODES[status] ?? 'Error') : message, status);
}
