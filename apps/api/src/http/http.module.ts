import { Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { errorFilterProvider } from '../errors/error.filter.js';
import { requestValidationPipeProvider } from '../validation/request-validation.pipe.js';
import { Exchanges } from './exchanges.js';
import { FallbackController } from './fallback.controller.js';
import { HttpDrain } from './http-drain.js';
import type { JsonExpressAdapter } from './json-express-adapter.js';

/** What holds for the routes of every module: validation, the Error body, and an answer where there is no route. */
@Module({
  controllers: [FallbackController],
  providers: [
    {
      provide: Exchanges,
      useFactory: (host: HttpAdapterHost<JsonExpressAdapter>) => host.httpAdapter.exchanges,
      inject: [HttpAdapterHost],
    },
    HttpDrain,
    errorFilterProvider,
    requestValidationPipeProvider,
  ],
  exports: [Exchanges, HttpDrain],
})
export class HttpModule {}
