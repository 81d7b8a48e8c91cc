import { Module, type DynamicModule } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { CHALLENGE, ERROR_TRANSLATION, errorFilterProvider, type ErrorTranslation } from './responses/error.filter.js';
import { RequestClasses } from './validation/request-class.js';
import { RequestClassCheck } from './validation/request-class-check.js';
import { requestValidationPipeProvider } from './validation/request-validation.pipe.js';
import { responseInterceptorProvider } from './responses/response.interceptor.js';
import { ErrorCodes, type ErrorCodeDefinition } from './errors/error-codes.js';
import { DescribedErrorCodes } from './openapi/responses.decorators.js';
import { RequestTracker } from './connections/request-tracker.js';
import { requestReaderProvider } from './requests/request-reader.js';
import { fallbackController } from './server/unauthorized-before-not-found.controller.js';
import { HttpDrain } from './shutdown/http-drain.js';
import type { JsonExpressAdapter } from './server/json-express-adapter.js';
import { RouteDeclarationCheck } from './server/route-declaration-check.js';
import { RouteTable } from './server/route-table.js';

/** What a module adds to HTTP. */
export interface HttpFeature {
  /** The values of `code` that the errors of the module have, beside those that every application has. */
  readonly errorCodes: readonly ErrorCodeDefinition[];
}

/** What holds for the routes of every module: validation, the Error body, and an answer where there is no route. */
@Module({})
export class HttpModule {
  /**
   * @param publicRoute lets a route answer whoever asks
   * @param challenge what a 401 asks of the caller in `WWW-Authenticate`
   * @param translate tells what errors of other libraries mean
   */
  static forRoot(
    publicRoute: MethodDecorator,
    challenge: string,
    translate: ErrorTranslation = (thrown) => thrown,
  ): DynamicModule {
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
        DescribedErrorCodes,
        { provide: CHALLENGE, useValue: challenge },
        { provide: ERROR_TRANSLATION, useValue: translate },
        errorFilterProvider,
        requestReaderProvider,
        responseInterceptorProvider,
        RequestClasses,
        requestValidationPipeProvider,
        RequestClassCheck,
        RouteDeclarationCheck,
      ],
      exports: [RequestTracker, ErrorCodes, HttpDrain, RouteTable],
    };
  }

  /** To be imported by a module that has error codes of its own. */
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
