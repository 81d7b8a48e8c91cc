import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ErrorCodes } from '../errors/error-codes.js';
import { routeHandlers } from '../requests/route-handlers.js';
import { CODES } from './errors.decorators.js';

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
