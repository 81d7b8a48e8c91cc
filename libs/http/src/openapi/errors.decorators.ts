import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { BaseErrorCode } from '../errors/error-codes.js';

/** The extension in which {@link ApiErrors} stores its codes until they are described. */
export const CODES = 'x-error-codes';

/** The extension in which an operation stores its own error messages, by code, until they are described. */
export const OWN_MESSAGES = 'x-error-messages';

/**
 * Documents the errors of an operation besides those of all operations: the Error body, with an example of each code.
 *
 * @param codes codes of the base, or codes that a module registered
 */
export function ApiErrors(...codes: (BaseErrorCode | (string & {}))[]): MethodDecorator {
  const all = [...new Set(codes)];
  return applyDecorators(SetMetadata(CODES, all), ApiExtension(CODES, all));
}

/** Sets the messages of an operation's errors, by code, instead of the default messages. */
export function ApiErrorMessages(messages: Readonly<Record<string, string>>): MethodDecorator {
  return ApiExtension(OWN_MESSAGES, messages);
}
