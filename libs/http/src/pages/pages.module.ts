import { Module, type DynamicModule, type ModuleMetadata, type Type } from '@nestjs/common';
import { PageCursors } from './page-cursors.js';
import { Pages } from './pages.js';

export interface PagesModuleOptions<Secrets> {
  /** Modules that export `secrets`. */
  readonly imports: NonNullable<ModuleMetadata['imports']>;
  readonly secrets: Type<Secrets>;
  /** The key that signs the cursors: the same on all instances. Loaded for the first cursor. */
  readonly cursorKey: (secrets: Secrets) => Promise<Buffer>;
}

/** {@link Pages} for every module of the application. */
@Module({})
export class PagesModule {
  static forRoot<Secrets>({ imports, secrets, cursorKey }: PagesModuleOptions<Secrets>): DynamicModule {
    const createPages = (found: Secrets) => new Pages(new PageCursors(() => cursorKey(found)));
    return {
      module: PagesModule,
      global: true,
      imports,
      providers: [{ provide: Pages, useFactory: createPages, inject: [secrets] }],
      exports: [Pages],
    };
  }
}
