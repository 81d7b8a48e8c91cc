import { hash } from 'node:crypto';
import { Readable, pipeline } from 'node:stream';
import { Controller, Get, Module, Next, Req, Res, type DynamicModule, type Type } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { RequestError } from '../errors/request.errors.js';
import { TurnLimiter } from '../requests/body-limits.js';
import { helmetHeaders } from '../responses/response-headers.js';
import { matchesEntityTag } from '../responses/entity-tag.js';
import { ApiDocs, type DocsFile } from './api-docs.js';

/**
 * The header fields of all files. The pages have scripts of their own, and inline styles and images; no file asks
 * another host. The client asks whether its copy is current before each use.
 *
 * @param inlineScripts the scripts that a page holds itself
 */
function headersOf(inlineScripts: readonly string[]): Record<string, string> {
  const hashes = inlineScripts.map((script) => `'sha256-${hash('sha256', script, 'base64')}'`);
  const securityHeaders = helmetHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...hashes],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
  });
  return { ...securityHeaders, 'Cache-Control': 'no-cache' };
}

/**
 * The bytes of a large file that are written at once, and how many such pieces are written in one turn of the event
 * loop. Node accepts one connection in a turn: while 2,000 clients asked for the whole bundle of Swagger UI at once, a
 * new connection waited for seconds.
 */
const PIECE_BYTES = 64 * 1024;
const PIECES_PER_TURN = 4;

async function* piecesOf(body: Buffer, turns: TurnLimiter): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) {
    await turns.next();
    yield body.subarray(at, at + PIECE_BYTES);
  }
}

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
    private readonly headers = headersOf([]);
    private readonly turns = new TurnLimiter(PIECES_PER_TURN);
    private readonly guide: RequestHandler;

    constructor(private readonly docs: ApiDocs) {
      const headers = headersOf(docs.inlineScripts);
      const setHeaders = (response: Response) => response.set(headers);
      const options = { extensions: ['html'], redirect: false, cacheControl: false, setHeaders };
      this.guide = express.Router().use('/docs/guide', express.static(docs.guideFolder, options));
    }

    // A route with `*` counts in the metrics and in traces as no route of its own: only the guide needs it.
    @Get(['openapi.json', 'openapi.yaml', 'docs', 'docs/{:file}', 'docs/guide/{*page}'])
    serve(@Req() request: Request, @Res() response: Response, @Next() next: NextFunction): void {
      const file = this.docs.find(request.path);
      if (file !== undefined) this.send(file, request, response);
      // Relative, as the service does not know what a proxy puts before its addresses.
      else if (request.path === '/docs/') response.redirect('../docs');
      else if (request.path === '/docs/guide' && this.docs.hasGuide) response.redirect('guide/');
      else {
        this.guide(request, response, (error?: unknown) => {
          next(error ?? RequestError.nothingHere());
        });
      }
    }

    private send(file: DocsFile, { headers }: Request, response: Response): void {
      response.set(this.headers).set('ETag', file.entityTag);
      const ifNoneMatch = headers['if-none-match'];
      if (ifNoneMatch !== undefined && matchesEntityTag(ifNoneMatch, file.entityTag)) {
        response.status(304).end();
        return;
      }
      // Express's own way would add a charset to JSON, which has none (RFC 8259).
      response.setHeader('Content-Type', file.type);
      if (file.body.length <= PIECE_BYTES) response.send(file.body);
      else {
        response.setHeader('Content-Length', file.body.length);
        // The client may have gone: there is no response to write then.
        pipeline(Readable.from(piecesOf(file.body, this.turns)), response, () => undefined);
      }
    }
  }
  return DocsController;
}
