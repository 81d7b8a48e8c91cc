import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, HttpAdapterHost } from '@nestjs/core';
import { ModuleHeaders, type Header } from './responses/module-headers.js';
import { ERROR_OPTIONS, ErrorFilter, type ErrorOptions } from './responses/error.filter.js';
import { ErrorCodes, type ErrorCodeDefinition } from './errors/error-codes.js';
import type { JsonExpressAdapter } from './nest/json-express.adapter.js';
import { Docs } from './openapi/docs.js';
import { SecuritySchemes, type SecurityScheme } from './openapi/security-schemes.js';
import { fallbackController } from './routes/fallback.controller.js';
import { RouteTable } from './routes/route-table.js';
import { RequestTracker } from './connections/request-tracker.js';
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
  /** Header fields that a global interceptor of the module adds, by name: to every response but those of guards that refuse. */
  readonly responseHeaders?: Readonly<Record<string, Header>>;
}

/** The common parts of all routes: validation, Error bodies, unknown addresses, the document, and the end of connections. */
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
        {
          provide: ModuleHeaders,
          useFactory: (host: HttpAdapterHost<JsonExpressAdapter>) => host.httpAdapter.moduleHeaders,
          inject: [HttpAdapterHost],
        },
        Docs,
        HttpDrain,
        ErrorCodes,
        SecuritySchemes,
        { provide: ERROR_OPTIONS, useValue: errors },
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_PIPE, useClass: RequestValidationPipe },
      ],
      exports: [RequestTracker, RouteTable, ModuleHeaders, Docs, HttpDrain, ErrorCodes, SecuritySchemes, ERROR_OPTIONS],
    };
  }

  /** For a module that has error codes, ways to authenticate or header fields of its own. */
  static forFeature({ errorCodes = [], securitySchemes = {}, responseHeaders = {} }: HttpFeature): DynamicModule {
    return {
      module: HttpModule,
      providers: [
        {
          provide: Symbol('what a module adds'),
          useFactory: (codes: ErrorCodes, schemes: SecuritySchemes, headers: ModuleHeaders) => {
            codes.register(errorCodes);
            for (const [name, scheme] of Object.entries(securitySchemes)) schemes.set(name, scheme);
            for (const [name, header] of Object.entries(responseHeaders)) headers.set(name, header);
          },
          inject: [ErrorCodes, SecuritySchemes, ModuleHeaders],
        },
      ],
    };
  }
}
