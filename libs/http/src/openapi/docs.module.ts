import { Controller, Get, Module, Next, Req, Res, type DynamicModule, type Type } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { RequestError } from '../errors/request.errors.js';
import { helmetHeaders } from '../responses/helmet-headers.js';
import { matchesEntityTag } from '../responses/entity-tag.js';
import { ApiDocs, type DocsFile } from './api-docs.js';

/** The page of Swagger UI has its own scripts, and inline styles and images. No file asks another host. */
const SECURITY_HEADERS = helmetHeaders({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
});

/** The client asks whether its copy is current before each use. */
const HEADERS = { ...SECURITY_HEADERS, 'Cache-Control': 'no-cache' };

/** The documentation, if it is enabled. */
@Module({})
export class DocsModule {
  /**
   * @param publicRoute makes a controller accessible without a key
   * @param guideFolder the built pages of the guide
   */
  static forRoot(publicRoute: ClassDecorator, guideFolder: string): DynamicModule {
    return {
      module: DocsModule,
      controllers: [docsController(publicRoute)],
      providers: [{ provide: ApiDocs, useFactory: () => new ApiDocs(guideFolder) }],
      exports: [ApiDocs],
    };
  }
}

/** Swagger UI at `/docs`, the guide below `/docs/guide/`, and the document at `/openapi.json` and `/openapi.yaml`. */
function docsController(publicRoute: ClassDecorator): Type {
  @publicRoute
  @ApiExcludeController()
  @Controller()
  class DocsController {
    private readonly guide: RequestHandler;

    constructor(private readonly docs: ApiDocs) {
      const setHeaders = (response: Response) => response.set(HEADERS);
      const options = { extensions: ['html'], redirect: false, cacheControl: false, setHeaders };
      this.guide = express.Router().use('/docs/guide', express.static(docs.guideFolder, options));
    }

    @Get(['openapi.json', 'openapi.yaml', 'docs', 'docs/{*file}'])
    serve(@Req() request: Request, @Res() response: Response, @Next() next: NextFunction): void {
      const file = this.docs.find(request.path);
      if (file !== undefined) send(file, request, response);
      // Relative, as the service does not know what a proxy puts before its addresses.
      else if (request.path === '/docs/') response.redirect('../docs');
      else if (request.path === '/docs/guide' && this.docs.hasGuide) response.redirect('guide/');
      else {
        this.guide(request, response, (error?: unknown) => {
          next(error ?? RequestError.nothingHere());
        });
      }
    }
  }
  return DocsController;
}

function send(file: DocsFile, { headers }: Request, response: Response): void {
  response.set(HEADERS).set('ETag', file.entityTag);
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined && matchesEntityTag(ifNoneMatch, file.entityTag)) response.status(304).end();
  else {
    // Express's own way would add a charset to JSON, which has none (RFC 8259).
    response.setHeader('Content-Type', file.type);
    response.send(file.body);
  }
}
