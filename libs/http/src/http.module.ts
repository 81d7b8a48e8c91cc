import { Module, type DynamicModule } from '@nestjs/common';
import { BodyGuard } from './bodies/body.guard.js';
import { ErrorCodes, type ErrorCodeDefinition } from './errors/error-codes.js';
import { ERROR_TRANSLATION, ErrorFilter, type ErrorTranslation } from './errors/error.filter.js';
import { Pages } from './pages/pages.js';
import { DeprecationGuard } from './routes/deprecated.js';
import { NoQueryGuard } from './routes/no-query.js';
import { unknownRoutes } from './routes/unknown-route.js';
import { HttpDrain } from './shutdown.js';
import { RequestValidationPipe } from './validation/validation.pipe.js';

export interface HttpModuleOptions {
  /** Makes a route accessible without a key. */
  readonly publicRoute: MethodDecorator;
  readonly translate: ErrorTranslation;
  /** The largest body in bytes, on routes without `@BodyLimit`. */
  readonly bodyLimit: number;
}

/** The parts of all routes. The application lists the guards, the pipe and the filter in their order (`create-app.ts`). */
@Module({})
export class HttpModule {
  static forRoot({ publicRoute, translate, bodyLimit }: HttpModuleOptions): DynamicModule {
    const parts = [DeprecationGuard, NoQueryGuard, RequestValidationPipe, ErrorFilter, ErrorCodes, HttpDrain, Pages];
    return {
      module: HttpModule,
      global: true,
      controllers: [unknownRoutes(publicRoute)],
      providers: [
        ...parts,
        { provide: BodyGuard, useFactory: () => new BodyGuard(bodyLimit) },
        { provide: ERROR_TRANSLATION, useValue: translate },
      ],
      exports: [...parts, BodyGuard, ERROR_TRANSLATION],
    };
  }

  /** @param feature the error codes of a module, besides those that every application has */
  static forFeature({ errorCodes }: { readonly errorCodes: readonly ErrorCodeDefinition[] }): DynamicModule {
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
