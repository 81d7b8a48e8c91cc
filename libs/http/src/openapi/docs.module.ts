import { Module, type DynamicModule } from '@nestjs/common';
import { ApiDocs } from './api-docs.js';
import { docsController } from './docs.controller.js';

/** The documentation, if it is enabled. */
@Module({})
export class DocsModule {
  /** @param publicRoute makes a controller accessible without a key */
  static forRoot(publicRoute: ClassDecorator): DynamicModule {
    return { module: DocsModule, controllers: [docsController(publicRoute)], providers: [ApiDocs], exports: [ApiDocs] };
  }
}
