import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Readable, pipeline } from 'node:stream';
import { Controller, Get, Injectable, Module, Next, Req, Res, type DynamicModule, type Type } from '@nestjs/common';
import { ApiExcludeController, type OpenAPIObject } from '@nestjs/swagger';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { stringify } from 'yaml';
import { RequestError } from '../errors/request.errors.js';
import { stringifyExactJson } from '../json/exact-json.js';
import { TurnLimiter } from '../bodies/body-limits.js';
import { entityTag, matchesEntityTag } from '../responses/http-response.js';
import { helmetHeaders } from '../responses/security-headers.js';
import { DOCS_SCRIPT, DOCS_STYLES, docsPage } from './docs-page.js';

/** The documentation, if it is enabled. */
@Module({})
export class DocsModule {
  /**
   * @param publicRoute makes a controller accessible without a key
   * @param guideFolder the built pages of the guide; the service has no guide if it is missing
   */
  static forRoot(publicRoute: ClassDecorator, guideFolder: string): DynamicModule {
    return {
      module: DocsModule,
      // The response to an unknown address may name an address of the document.
      global: true,
      controllers: [docsController(publicRoute)],
      providers: [{ provide: ApiDocs, useFactory: () => new ApiDocs(guideFolder) }],
      exports: [ApiDocs],
    };
  }
}

/** A file with its media type and its strong entity tag. */
interface DocsFile {
  readonly type: string;
  readonly body: Buffer;
  readonly entityTag: string;
}

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** The width of a line in YAML, in characters. */
const LINE_WIDTH = 120;

/**
 * The OpenAPI document and the page of Swagger UI. They are bytes that are made once, at start, and the same for every
 * request: whoever asks, with whatever prefix, costs no more than sending them.
 */
@Injectable()
export class ApiDocs {
  readonly hasGuide: boolean;
  /** The addresses that the document tells everyone, as in `/v1/pets/{petId}`. */
  addresses: readonly string[] = [];
  private readonly files = new Map<string, DocsFile>();

  constructor(readonly guideFolder: string) {
    this.hasGuide = existsSync(this.firstPage);
  }

  /** What the error says where there is nothing. */
  get hint(): string | undefined {
    return this.files.size > 0 ? '/docs shows all addresses' : undefined;
  }

  /** Must be called once, before the first request. An example that is a `bigint` keeps every digit. */
  publish(document: OpenAPIObject): void {
    const base = /[/][^/]+(?=[/]?$)/.exec(document.servers?.[0]?.url ?? '')?.[0] ?? '';
    this.addresses = Object.entries(document.paths).map(([path, { servers }]) =>
      servers === undefined ? base + path : path,
    );
    this.add('/openapi.json', 'application/json', stringifyExactJson(document));
    // For readers: no anchors for parts that repeat.
    const yaml = stringify(document, { aliasDuplicateObjects: false, lineWidth: LINE_WIDTH });
    this.add('/openapi.yaml', 'application/yaml', yaml);
    this.add('/docs', HTML, docsPage(document.info.title, this.hasGuide));
    this.add('/docs/docs.js', SCRIPT, DOCS_SCRIPT);
    this.add('/docs/docs.css', CSS, DOCS_STYLES);
    this.add('/docs/swagger-ui.css', CSS, swaggerUiFile('swagger-ui.css'));
    this.add('/docs/swagger-ui-bundle.js', SCRIPT, swaggerUiFile('swagger-ui-bundle.js'));
    this.add('/docs/favicon-32x32.png', 'image/png', swaggerUiFile('favicon-32x32.png'));
  }

  /** The file at an address such as `/docs/swagger-ui.css`. */
  find(path: string): DocsFile | undefined {
    return this.files.get(path);
  }

  /** The scripts in the pages of the guide: each page has the same ones. */
  get inlineScripts(): string[] {
    if (!this.hasGuide) return [];
    const html = readFileSync(this.firstPage, 'utf8');
    return [...html.matchAll(/<script(?! [^>]*src=)[^>]*>(?<script>[^<]*)<\/script>/g)].map(
      ([, script = '']) => script,
    );
  }

  private get firstPage(): string {
    return join(this.guideFolder, 'index.html');
  }

  private add(path: string, type: string, content: string | Buffer): void {
    const body = Buffer.from(content);
    this.files.set(path, { type, body, entityTag: entityTag(body) });
  }
}

function swaggerUiFile(name: string): Buffer {
  return readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));
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
          next(error ?? RequestError.nothingHere(this.docs.hint));
        });
      }
    }

    private send({ type, body, entityTag: tag }: DocsFile, request: Request, response: Response): void {
      response.set(this.headers).set('ETag', tag);
      const ifNoneMatch = request.headers['if-none-match'];
      if (ifNoneMatch !== undefined && matchesEntityTag(ifNoneMatch, tag)) {
        response.status(304).end();
        return;
      }
      // Express's own way would add a charset to JSON, which has none (RFC 8259).
      response.setHeader('Content-Type', type).setHeader('Content-Length', body.length);
      // The client may have gone: there is no response to write then.
      pipeline(Readable.from(piecesOf(body, this.turns)), response, () => undefined);
    }
  }
  return DocsController;
}

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
 * The bytes that are written at once, and how many such pieces are written in one turn of the event loop. Node accepts
 * one connection in a turn: while 2,000 clients asked for the whole bundle of Swagger UI at once, a new connection
 * waited for seconds.
 */
const PIECE_BYTES = 64 * 1024;
const PIECES_PER_TURN = 4;

async function* piecesOf(body: Buffer, turns: TurnLimiter): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) {
    await turns.next();
    yield body.subarray(at, at + PIECE_BYTES);
  }
}
