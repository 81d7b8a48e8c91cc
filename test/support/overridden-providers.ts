import { HttpAdapterHost } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import type { Assemble, CreateAppOptions } from '../../apps/api/src/create-app.js';

/** What takes the place of the provider of a token, in all modules that have one. */
export interface Override {
  /** A class, a string or a symbol: what is injected. */
  readonly provide: string | symbol | (abstract new (...args: never[]) => unknown);
  readonly useValue: unknown;
}

export interface StartOptions extends CreateAppOptions {
  /** What takes the place of providers. A token that no module provides fails the start. */
  readonly overrides?: readonly Override[];
}

/** The options of `createApp` that do it. */
export function createAppOptions({ overrides = [], ...options }: StartOptions): CreateAppOptions {
  return overrides.length === 0 ? options : { ...options, assemble: assembleWith(overrides) };
}

/** Assembles an application by the means of `@nestjs/testing`. */
function assembleWith(overrides: readonly Override[]): Assemble {
  return async (module, adapter, options) => {
    // Providers of the service ask for the adapter while they are made; a testing module gets one only afterwards.
    const host = new HttpAdapterHost();
    host.httpAdapter = adapter;
    const builder = Test.createTestingModule({ imports: [module] })
      .overrideProvider(HttpAdapterHost)
      .useValue(host);
    for (const { provide, useValue } of overrides) builder.overrideProvider(provide).useValue(useValue);
    const assembled = await builder.compile();
    for (const { provide } of overrides) assembled.get(provide, { strict: false });
    return assembled.createNestApplication<NestExpressApplication>(adapter, options);
  };
}
