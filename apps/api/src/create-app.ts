import { holdsApiKey } from '@animal-store/auth';
import { type DynamicModule, type NestApplicationOptions, VersioningType } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule, type AppModuleOptions } from './app.module.js';
import { createApiDocument } from './api-document.js';
import {
  accelerateRoutes,
  ApiDocs,
  createExpress,
  JsonExpressAdapter,
  refuseLateCalls,
  refuseMisleadingCalls,
  requestContext,
} from '@animal-store/http';
import type { Environment } from './settings/environment.js';
import { Log } from '@animal-store/logging';
import { keepClientAddresses, requestLog } from './logging/request-log.js';

export interface CreateAppOptions extends AppModuleOptions {
  /**
   * Called and awaited before the routes are made: `useGlobalGuards`, `use` and similar calls have an effect only here.
   */
  readonly configure?: (app: NestExpressApplication) => unknown;
  /** Replaces `NestFactory.create`: tests use it to replace providers with `@nestjs/testing`. */
  readonly assemble?: Assemble;
}

/** Takes the same arguments as `NestFactory.create`. */
export type Assemble = (
  module: DynamicModule,
  adapter: JsonExpressAdapter,
  options: NestApplicationOptions,
) => Promise<NestExpressApplication>;

const assembleByNest: Assemble = (module, adapter, options) =>
  NestFactory.create<NestExpressApplication>(module, adapter, options);

/** Creates the application for the server, the tests and the examples. It is initialised, but not listening. */
export async function createApp(
  environment: Environment,
  options: CreateAppOptions = {},
): Promise<NestExpressApplication> {
  const log = new Log({
    level: environment.LOG_LEVEL,
    isReadable: environment.NODE_ENV !== 'production',
    currentFields: () => requestContext.getStore(),
  });
  const adapter = new JsonExpressAdapter(
    createExpress({
      bodyLimit: environment.BODY_LIMIT,
      bodiesLimit: 64 * 1024 ** 2,
      trustProxy: environment.TRUST_PROXY,
    }),
    {
      connections: environment.MAX_CONNECTIONS,
      unreadBytes: 64 * 1024 ** 2,
    },
    { isSecret: (text) => holdsApiKey(text, environment.BOOTSTRAP_API_KEY) },
  );
  adapter.requestTracker.observe(requestLog(log.logger, environment));
  const module = await AppModule.forRoot(environment, log, options);
  const assemble = options.assemble ?? assembleByNest;
  const app = await assemble(module, adapter, {
    // Bodies are read after all other guards: see RouteInputGuard.
    bodyParser: false,
    logger: log.forNest(),
    abortOnError: false,
    // The fallback routes match every address, so they must come last, wherever a new feature is listed.
    routeResolutionStrategy: 'specificity',
    routeConflictPolicy: { duplicate: 'error' },
  });
  keepClientAddresses(app.getHttpServer());
  await accelerateRoutes(app);

  app.enableVersioning({ type: VersioningType.URI });
  if (environment.CORS_ORIGINS !== undefined) app.enableCors({ origin: [...environment.CORS_ORIGINS] });
  refuseMisleadingCalls(app, { corsSetting: environment.CORS_ORIGINS === undefined ? undefined : 'CORS_ORIGINS' });
  await options.configure?.(app);
  await app.init();
  if (environment.DOCS_ENABLED) app.get(ApiDocs, { strict: false }).publish(createApiDocument(app, environment));
  refuseLateCalls(app);
  return app;
}
