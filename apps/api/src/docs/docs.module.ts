import { Module } from '@nestjs/common';
import { ApiDocs } from './api-docs.js';
import { DocsController } from './docs.controller.js';

/** The documentation, where it is switched on. */
@Module({ controllers: [DocsController], providers: [ApiDocs] })
export class DocsModule {}
