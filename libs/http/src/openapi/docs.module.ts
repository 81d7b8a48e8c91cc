import { Module, type DynamicModule } from '@nestjs/common';
import { ApiDocs } from './api-docs.js';
import { docsController } from './docs.controller.js';

/** The documentation, where it is switched on. */
@Module({})
export class DocsModule {
  /** @param publicRoute lets a controller answer whoever asks */
  static forRoot(publicRoute: ClassDecorator): DynamicModule {
    return { module: DocsModule, controllers: [docsController(publicRoute)], providers: [ApiDocs], exports: [ApiDocs] };
  }
}
