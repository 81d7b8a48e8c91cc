import { applyDecorators, Injectable, SetMetadata, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ApiExtension, ApiHeader, ApiResponse } from '@nestjs/swagger';
import { routeHandlers } from '../requests/route-handlers.js';
import { ErrorCodes, type BaseErrorCode } from '../errors/error-codes.js';
import { headersOf, type HeaderName } from './headers.js';

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

/** Refuses to start an application whose operations use codes that no module registers. */
@Injectable()
export class DescribedErrorCodes implements OnModuleInit {
  constructor(
    private readonly modules: ModulesContainer,
    private readonly codes: ErrorCodes,
  ) {}

  /** All modules have registered their codes by now. */
  onModuleInit(): void {
    for (const { controller, name, handler } of routeHandlers(this.modules)) {
      for (const code of (Reflect.getMetadata(CODES, handler) as string[] | undefined) ?? []) {
        if (this.codes.find(code) !== undefined) continue;
        throw new Error(`ApiErrors of ${controller}.${name} names "${code}", which no module registers`);
      }
    }
  }
}

/**
 * Documents the conditional request of an operation that reads.
 *
 * @param fields the header fields of its response besides `ETag`
 */
export function ApiNotModified(...fields: HeaderName[]): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      description: 'Entity tags that the client holds; the answer is 304 when one of them is current.',
      required: false,
      schema: { type: 'string' },
    }),
    ApiResponse({
      status: 304,
      description: 'The copy that the client holds is current; there is no body.',
      headers: headersOf('ETag', ...fields),
    }),
  );
}
