import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { bounded } from './bounded-message.js';
import { STATUS_OF_KIND, type HttpErrorKind } from './error-codes.js';

/** An error of this service, whichever module throws it. */
export interface KnownError extends Error {
  readonly kind: HttpErrorKind;
  readonly code: string;
  /** The value of `WWW-Authenticate`. */
  readonly challenge?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The code that threw it has already logged the reason. */
  readonly isLogged?: true;
}

/** Whether an error has the form of this service's errors. */
export function isKnown(thrown: unknown): thrown is KnownError {
  return (
    thrown instanceof Error &&
    'code' in thrown &&
    typeof thrown.code === 'string' &&
    'kind' in thrown &&
    Object.hasOwn(STATUS_OF_KIND, thrown.kind as string)
  );
}

/** The response that an error with an HTTP status asks for. */
export interface HttpFailure {
  /** From 400 to 599. */
  readonly status: number;
  readonly message: string;
  /** The code that the error asks for, registered or not. */
  readonly code?: string | undefined;
}

/** Reads the response from an exception of Nest or an error of Express middleware; `undefined` for any other error. */
export function httpFailureOf(thrown: unknown): HttpFailure | undefined {
  const failure = thrown instanceof HttpException ? ofException(thrown) : ofMiddleware(thrown);
  const isError = failure !== undefined && Number.isInteger(failure.status) && failure.status >= 400;
  return isError && failure.status <= 599 ? failure : undefined;
}

function ofException(exception: HttpException): HttpFailure {
  const status = exception.getStatus();
  const response = exception.getResponse();
  // For example `new UnauthorizedException(error)`: the message of that error is not meant for the client.
  if (response instanceof Error) return { status, message: standardMessage(status), code: exception.errorCode };
  const { message, code } = (typeof response === 'object' ? response : {}) as Record<string, unknown>;
  const messages = Array.isArray(response) ? response : message;
  return {
    status,
    message: textOf(messages) ?? (exception.message === '' ? standardMessage(status) : exception.message),
    code: exception.errorCode ?? (typeof code === 'string' ? code : undefined),
  };
}

/** The message of a validation error may be a list. */
function textOf(message: unknown): string | undefined {
  if (!Array.isArray(message) || message.length === 0) return undefined;
  return bounded(message.map(String), '; ', (left) => `; and ${left} more`);
}

/** The errors of `http-errors`, which most middleware throws. Nest makes exceptions of those of Multer. */
function ofMiddleware(thrown: unknown): HttpFailure | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { status, statusCode, expose } = thrown as Error & Record<string, unknown>;
  if (typeof expose !== 'boolean' || typeof status !== 'number' || status !== statusCode) return undefined;
  return { status, message: expose && thrown.message !== '' ? thrown.message : standardMessage(status) };
}

function standardMessage(status: number): string {
  return STATUS_CODES[status] ?? 'Error';
}
