import { applyDecorators, Injectable, SetMetadata, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ApiExtension, ApiHeader, ApiResponse } from '@nestjs/swagger';
import { routeHandlers } from '../requests/route-handlers.js';
import { ErrorCodes, type BaseErrorCode } from '../errors/error-codes.js';
import { headersOf, type HeaderName } from './headers.js';

/** Where {@link ApiErrors} leaves its codes in the document until they are described. */
export const CODES = 'x-error-codes';

/** Where an operation leaves what its own errors say, by code, until they are described. */
export const OWN_MESSAGES = 'x-error-messages';

/**
 * Documents the errors that an operation answers with, beside those that all do: the Error body, with an example of each code.
 *
 * @param codes those of the base, and those that a module registered
 */
export function ApiErrors(...codes: (BaseErrorCode | (string & {}))[]): MethodDecorator {
  const all = [...new Set(codes)];
  return applyDecorators(SetMetadata(CODES, all), ApiExtension(CODES, all));
}

/** Says what errors of an operation say, by code, in place of what such errors say as a rule. */
export function ApiErrorMessages(messages: Readonly<Record<string, string>>): MethodDecorator {
  return ApiExtension(OWN_MESSAGES, messages);
}

/** Refuses the start of an application whose operations name codes that none of its modules registers. */
@Injectable()
export class DescribedErrorCodes implements OnModuleInit {
  constructor(
    private readonly modules: ModulesContainer,
    private readonly codes: ErrorCodes,
  ) {}

  /** All modules have registered theirs by now. */
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
 * Documents the conditional request of a read.
 *
 * @param fields those of its answer beside `ETag`
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
