import { type Provider, VersioningType } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import { ApiKeyGuard, callerOf, holdsApiKey } from '@animal-store/auth';
import {
  BodyGuard,
  DeprecationGuard,
  ErrorFilter,
  EXPOSED_FIELD_NAMES,
  JsonExpressAdapter,
  NoQueryGuard,
  RateLimitGuard,
  requestContext,
  RequestValidationPipe,
} from '@animal-store/http';
import { Log } from '@animal-store/logging';
import { AppModule, type AppModuleOptions } from './app.module.js';
import { publishDocument } from './api-document.js';
import { keepClientAddresses, requestLog } from './request-log.js';
import type { Environment } from './settings.js';

export interface CreateAppOptions extends AppModuleOptions {
  /** Awaited before the routes are made: `useGlobalGuards`, `use` and similar calls have an effect only here. */
  readonly configure?: (app: NestExpressApplication) => unknown;
}

/** What every request meets, in this order: the key before all that refuses, the body last. What modules add comes after it. */
function pipelineOf({ RATE_LIMIT_PER_MINUTE: perMinute }: Environment): Provider[] {
  return [
    { provide: APP_GUARD, useExisting: DeprecationGuard },
    { provide: APP_GUARD, useExisting: ApiKeyGuard },
    ...(perMinute === undefined
      ? []
      : [{ provide: APP_GUARD, useValue: new RateLimitGuard(perMinute, (request) => callerOf(request)?.holder) }]),
    { provide: APP_GUARD, useExisting: NoQueryGuard },
    { provide: APP_GUARD, useExisting: BodyGuard },
    { provide: APP_PIPE, useExisting: RequestValidationPipe },
    // Nest asks the last filter first: this one handles what no filter of a module catches.
    { provide: APP_FILTER, useExisting: ErrorFilter },
  ];
}

/** Creates the application for the server, the tests and the examples. It is initialised, but not listening. */
export async function createApp(
  environment: Environment,
  options: CreateAppOptions = {},
): Promise<NestExpressApplication> {
  const log = new Log({
    level: environment.LOG_LEVEL,
    isPretty: environment.NODE_ENV !== 'production',
    currentFields: () => ({ requestId: requestContext.getStore()?.requestId }),
  });
  const adapter = new JsonExpressAdapter({
    maxConnections: environment.MAX_CONNECTIONS,
    keepAliveMs: environment.KEEP_ALIVE_SECONDS * 1000,
    trustProxy: environment.TRUST_PROXY,
    pathPrefix: environment.PUBLIC_PATH_PREFIX,
    isSecret: (text) => holdsApiKey(text, environment.BOOTSTRAP_API_KEY),
  });
  adapter.requestTracker.observe(requestLog(log.logger, environment.BOOTSTRAP_API_KEY));
  const module = await AppModule.forRoot(environment, log, pipelineOf(environment), options);
  const app = await NestFactory.create<NestExpressApplication>(module, adapter, {
    // Bodies are read after the guards have let the request in: see BodyGuard.
    bodyParser: false,
    logger: log.forNest(),
    abortOnError: false,
    // The routes of unknown addresses match every address, so they must come last, wherever a new feature is listed.
    routeResolutionStrategy: 'specificity',
    routeConflictPolicy: { duplicate: 'error' },
  });
  keepClientAddresses(app.getHttpServer());
  app.enableVersioning({ type: VersioningType.URI });
  if (environment.CORS_ORIGINS !== undefined) app.enableCors(corsOf(environment.CORS_ORIGINS));
  await options.configure?.(app);
  if (environment.DOCS_ENABLED) publishDocument(app, environment);
  return app.init();
}

/** Browsers send preflights without a key, so they are served without one. Any other `OPTIONS` request goes to the guards. */
function corsOf(origins: readonly string[]) {
  const options = { origin: [...origins], exposedHeaders: EXPOSED_FIELD_NAMES, maxAge: 600 };
  return ({ headers }: Request, decide: (error: null, options: object) => void) => {
    decide(null, { ...options, preflightContinue: headers['access-control-request-method'] === undefined });
  };
}
