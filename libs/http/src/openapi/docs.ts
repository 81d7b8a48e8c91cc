import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Injectable, NotAcceptableException, type OnModuleInit } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { RequestHandler } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { RequestError } from '../errors/request.errors.js';
import { entityTag } from '../responses/http-response.js';

/**
 * Replaces how Swagger UI reads the body of a response, which it writes again with indentation: it would round integers
 * beyond 2^53, and show 9007199254740993 as another category. A plugin of Swagger UI may wrap its components.
 *
 * The browser gets the source text of this function, so it must not use anything from outside.
 */
function exactNumbersPlugin() {
  type Component = new () => { render(): unknown };
  interface SourceTextJson {
    parse: (text: string, reviver: (name: string, value: unknown, context: { source?: string }) => unknown) => unknown;
    rawJSON?: (text: string) => unknown;
  }
  return {
    wrapComponents: {
      responseBody: (Original: Component) =>
        class extends Original {
          override render(): unknown {
            const json = JSON as never as SourceTextJson;
            const { parse, rawJSON } = json;
            if (rawJSON === undefined) return super.render();
            json.parse = (text) =>
              parse(text, (_name, value, { source }) =>
                typeof value === 'number' && source !== undefined ? rawJSON(source) : value,
              );
            try {
              return super.render();
            } finally {
              json.parse = parse;
            }
          }
        },
    },
  };
}

/**
 * The policy of the page: it loads and asks nothing anywhere else. Nest's page has a script and styles of its own, and
 * Swagger UI sets styles.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';');

/** The files of Swagger UI that its page loads. */
const PAGE_FILES = [
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'swagger-ui.css',
  'favicon-16x16.png',
  'favicon-32x32.png',
];

/** How many files are sent in a second, to all clients together. The page of one browser has five. */
const FILES_A_SECOND = 100;

/**
 * Sets the policy of the page, and serves its files from memory: compressed once, one for each connection, and not too many in a
 * second. Thousands of strangers may ask for the largest file at once, and ahead, and what the kernel copies for them keeps others
 * waiting.
 *
 * @throws NotAcceptableException to a client that accepts no gzip; no browser is one
 * @throws RequestError for a file too many
 */
function servePage(folder: string): RequestHandler {
  const files = new Map<string, { readonly body: Buffer; readonly tag: string }>();
  const limiter = new RateLimiterMemory({ points: FILES_A_SECOND, duration: 1 });
  return async (request, response, next) => {
    response.setHeader('Content-Security-Policy', POLICY);
    const name = request.path.slice(1);
    if (!PAGE_FILES.includes(name)) {
      next();
      return;
    }
    // Whoever does not say what it accepts, accepts all (RFC 9110, section 12.5.3); Express takes that for nothing.
    if (request.headers['accept-encoding'] !== undefined && request.acceptsEncodings('gzip') === false)
      throw new NotAcceptableException('The files of this page are sent compressed: accept gzip');
    response.set('Connection', 'close');
    await limiter.consume(folder).catch(() => {
      throw RequestError.rateLimited(`The files of this page may be asked for ${FILES_A_SECOND} times in a second`, 1);
    });
    const file = files.get(name) ?? compressed(join(folder, name));
    files.set(name, file);
    response.type(extname(name)).set({ ETag: file.tag, 'Content-Encoding': 'gzip' }).send(file.body);
  };
}

function compressed(path: string): { readonly body: Buffer; readonly tag: string } {
  const body = gzipSync(readFileSync(path));
  return { body, tag: entityTag(body) };
}

/**
 * Serves the document as JSON and YAML, and the page of Swagger UI. Express tries its routes in their order, and the nine of these
 * pages would cost every other request a twentieth of its time: so they come after those of the modules.
 */
@Injectable()
export class Docs implements OnModuleInit {
  private setup: () => void = () => undefined;

  /**
   * Must be called before the application is initialised.
   *
   * @param basePath the path of this service's base address, such as `/v1`: the page calls no other service
   */
  publish(app: NestExpressApplication, document: OpenAPIObject, basePath: string): void {
    const folder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
    app.use('/docs', servePage(folder));
    this.setup = () => {
      setupSwagger(app, document, basePath, folder);
    };
  }

  /** Called by Nest when it has registered the routes of the modules. */
  onModuleInit(): void {
    this.setup();
  }
}

function setupSwagger(app: NestExpressApplication, document: OpenAPIObject, basePath: string, folder: string): void {
  SwaggerModule.setup('openapi', app, document, {
    ui: false,
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
  });
  SwaggerModule.setup('docs', app, onThisServer(document, basePath), {
    raw: false,
    // No other file of Swagger UI is served: there is no such folder.
    customSwaggerUiPath: join(folder, 'other-files'),
    customSiteTitle: `${document.info.title} API`,
    swaggerOptions: {
      deepLinking: true,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      // By default the page shows a badge from another host.
      validatorUrl: 'none',
      plugins: [exactNumbersPlugin],
    },
  });
}

/** The document with one server: the one that serves the page. */
function onThisServer(document: OpenAPIObject, basePath: string): OpenAPIObject {
  const at = (url: string) => [{ url, description: 'This service' }];
  const root = basePath.slice(0, basePath.lastIndexOf('/'));
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    item.servers === undefined ? item : { ...item, servers: at(root === '' ? '/' : root) },
  ]);
  return { ...document, servers: at(basePath), paths: Object.fromEntries(paths) as OpenAPIObject['paths'] };
}
