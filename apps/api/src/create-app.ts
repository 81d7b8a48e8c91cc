import { type DynamicModule, type NestApplicationOptions, VersioningType } from '@nestjs/common';
import { ApplicationConfig, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { holdsApiKey } from '@animal-store/auth';
import { BodyGuard, Docs, JsonExpressAdapter, QueryGuard, requestContext, UnpackedResponse } from '@animal-store/http';
import { Log } from '@animal-store/logging';
import { AppModule, type AppModuleOptions } from './app.module.js';
import { createApiDocument } from './api-document.js';
import { keepClientAddresses, requestLog } from './logging/request-log.js';
import type { Environment } from './settings/environment.js';

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
  const adapter = new JsonExpressAdapter({
    maxConnections: environment.MAX_CONNECTIONS,
    keepAliveMs: environment.KEEP_ALIVE_SECONDS * 1000,
    trustProxy: environment.TRUST_PROXY,
    pathPrefix: environment.PUBLIC_PATH_PREFIX,
    isSecret: (text) => holdsApiKey(text, environment.BOOTSTRAP_API_KEY),
  });
  adapter.requestTracker.observe(requestLog(log.logger, environment));
  const module = await AppModule.forRoot(environment, log, options);
  const assemble = options.assemble ?? assembleByNest;
  const app = await assemble(module, adapter, {
    // Bodies are read after the guards have let the request in: see BodyGuard.
    bodyParser: false,
    logger: log.forNest(),
    abortOnError: false,
    // The fallback routes match every address, so they must come last, wherever a new feature is listed.
    routeResolutionStrategy: 'specificity',
    routeConflictPolicy: { duplicate: 'error' },
  });
  keepClientAddresses(app.getHttpServer());
  app.enableVersioning({ type: VersioningType.URI });
  if (environment.CORS_ORIGINS !== undefined) app.enableCors({ origin: [...environment.CORS_ORIGINS] });
  await options.configure?.(app);
  // The last of the global guards: those of the modules let a request in before its body is read.
  app.useGlobalGuards(new QueryGuard(), new BodyGuard(environment.BODY_LIMIT));
  // An interceptor costs every request some microseconds, so this one is there only beside others.
  if (app.get(ApplicationConfig).getGlobalInterceptors().length > 0) app.useGlobalInterceptors(new UnpackedResponse());
  if (environment.DOCS_ENABLED) publishDocument(app, environment);
  return app.init();
}

function publishDocument(app: NestExpressApplication, environment: Environment): void {
  const document = createApiDocument(app, environment);
  app.get(Docs, { strict: false }).publish(app, document, `${environment.PUBLIC_PATH_PREFIX ?? ''}/v1`);
}
