import { applyDecorators, Injectable, SetMetadata, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import { ErrorCodes, type BaseErrorCode } from '../errors/error-codes.js';
import { routeHandlers } from '../requests/route-handlers.js';

/** The extension in which {@link ApiErrors} stores its codes until they are described. */
export const CODES = 'x-error-codes';

/**
 * Documents the errors of an operation besides those of all operations.
 *
 * @param codes codes of the base, or codes that a module registered
 */
export function ApiErrors(...codes: (BaseErrorCode | (string & {}))[]): MethodDecorator {
  const all = [...new Set(codes)];
  return applyDecorators(SetMetadata(CODES, all), ApiExtension(CODES, all));
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
