import { HttpAdapterHost } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import type { Assemble, CreateAppOptions } from '../../apps/api/src/create-app.js';

/** A value that replaces the provider of a token in all modules that have this token. */
export interface Override {
  /** The injection token: a class, a string or a symbol. */
  readonly provide: string | symbol | (abstract new (...args: never[]) => unknown);
  readonly useValue: unknown;
}

export interface StartOptions extends CreateAppOptions {
  /** The replacements of providers. The start fails if no module provides a token. */
  readonly overrides?: readonly Override[];
}

/** The options of `createApp` that apply the overrides. */
export function createAppOptions({ overrides = [], ...options }: StartOptions): CreateAppOptions {
  return overrides.length === 0 ? options : { ...options, assemble: assembleWith(overrides) };
}

/** Assembles an application with `@nestjs/testing`. */
function assembleWith(overrides: readonly Override[]): Assemble {
  return async (module, adapter, options) => {
    // Providers need the adapter during their creation, but a testing module gets an adapter only afterwards.
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
