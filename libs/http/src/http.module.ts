import { Module, type DynamicModule } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { DEFAULT_CHALLENGE, errorFilterProvider, type ErrorTranslation } from './responses/error.filter.js';
import { RequestClasses } from './validation/request-class.js';
import { requestValidationPipeProvider } from './validation/request-validation.pipe.js';
import { responseInterceptorProvider } from './responses/response.interceptor.js';
import { ErrorCodes, type ErrorCodeDefinition } from './errors/error-codes.js';
import { RequestTracker } from './connections/request-tracker.js';
import { routeInputGuardProvider } from './bodies/route-input.guard.js';
import { fallbackController } from './nest/fallback.controller.js';
import { HttpDrain } from './shutdown/http-drain.js';
import type { JsonExpressAdapter } from './nest/json-express-adapter.js';
import { RouteDeclarationCheck } from './nest/route-declaration-check.js';
import { RouteTable } from './routes/route-table.js';

/** What a module adds to the HTTP layer. */
export interface HttpFeature {
  /** The error codes of the module, besides those that every application has. */
  readonly errorCodes: readonly ErrorCodeDefinition[];
}

/** The common parts of all routes: validation, the Error body, and a response for unknown addresses. */
@Module({})
export class HttpModule {
  /**
   * @param publicRoute makes a route accessible without a key
   * @param challenge the value of `WWW-Authenticate` in a 401
   * @param translate translates errors of other libraries
   */
  static forRoot(publicRoute: MethodDecorator, challenge: string, translate: ErrorTranslation): DynamicModule {
    return {
      module: HttpModule,
      global: true,
      controllers: [fallbackController(publicRoute)],
      providers: [
        {
          provide: RequestTracker,
          useFactory: (host: HttpAdapterHost<JsonExpressAdapter>) => host.httpAdapter.requestTracker,
          inject: [HttpAdapterHost],
        },
        {
          provide: RouteTable,
          useFactory: (host: HttpAdapterHost<JsonExpressAdapter>) => host.httpAdapter.routes,
          inject: [HttpAdapterHost],
        },
        HttpDrain,
        ErrorCodes,
        { provide: DEFAULT_CHALLENGE, useValue: challenge },
        errorFilterProvider(challenge, translate),
        routeInputGuardProvider,
        responseInterceptorProvider,
        RequestClasses,
        requestValidationPipeProvider,
        RouteDeclarationCheck,
      ],
      exports: [RequestTracker, ErrorCodes, HttpDrain, RouteTable],
    };
  }

  /** For a module that has its own error codes. */
  static forFeature({ errorCodes }: HttpFeature): DynamicModule {
    return {
      module: HttpModule,
      providers: [
        {
          provide: Symbol('error codes of a module'),
          useFactory: (codes: ErrorCodes) => {
            codes.register(errorCodes);
          },
          inject: [ErrorCodes],
        },
      ],
    };
  }
}
