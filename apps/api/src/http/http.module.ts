import { Module } from '@nestjs/common';
import { errorFilterProvider } from '../errors/error.filter.js';
import { requestValidationPipeProvider } from '../validation/request-validation.pipe.js';
import { FallbackController } from './fallback.controller.js';
import { HttpDrain } from './http-drain.js';

/** What holds for the routes of every module: validation, the Error body, and an answer where there is no route. */
@Module({
  controllers: [FallbackController],
  providers: [HttpDrain, errorFilterProvider, requestValidationPipeProvider],
  exports: [HttpDrain],
})
export class HttpModule {}
