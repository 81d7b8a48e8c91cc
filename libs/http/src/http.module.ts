import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, HttpAdapterHost } from '@nestjs/core';
import { ERROR_OPTIONS, ErrorFilter, type ErrorOptions } from './errors/error.filter.js';
import { ErrorCodes, type ErrorCodeDefinition } from './errors/error-codes.js';
import type { JsonExpressAdapter } from './json-express.adapter.js';
import { SecuritySchemes, type SecurityScheme } from './openapi/security-schemes.js';
import { fallbackController } from './routes/fallback.controller.js';
import { RouteTable } from './routes/route-table.js';
import { RequestTracker } from './server/request-tracker.js';
import { HttpDrain } from './shutdown/http-drain.js';
import { RequestValidationPipe } from './validation/request-validation.pipe.js';

export interface HttpModuleOptions extends ErrorOptions {
  /** Makes a route accessible without a key. */
  readonly publicRoute: MethodDecorator;
}

/** What a module adds to the HTTP layer. */
export interface HttpFeature {
  /** The error codes of the module, besides those that every application has. */
  readonly errorCodes?: readonly ErrorCodeDefinition[];
  /** Ways to authenticate besides the API key, by name: a guard of the module checks them, `@ApiSecurity` names them. */
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
}

/** The common parts of all routes: validation, the Error body, and a response for unknown addresses. */
@Module({})
export class HttpModule {
  static forRoot({ publicRoute, ...errors }: HttpModuleOptions): DynamicModule {
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
        SecuritySchemes,
        { provide: ERROR_OPTIONS, useValue: errors },
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_PIPE, useClass: RequestValidationPipe },
      ],
      exports: [RequestTracker, RouteTable, HttpDrain, ErrorCodes, SecuritySchemes, ERROR_OPTIONS],
    };
  }

  /** For a module that has error codes or ways to authenticate of its own. */
  static forFeature({ errorCodes = [], securitySchemes = {} }: HttpFeature): DynamicModule {
    return {
      module: HttpModule,
      providers: [
        {
          provide: Symbol('what a module adds'),
          useFactory: (codes: ErrorCodes, schemes: SecuritySchemes) => {
            codes.register(errorCodes);
            for (const [name, scheme] of Object.entries(securitySchemes)) schemes.set(name, scheme);
          },
          inject: [ErrorCodes, SecuritySchemes],
        },
      ],
    };
  }
}
