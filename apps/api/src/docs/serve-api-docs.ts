import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { Environment } from '../environment.js';
import { isFallback, type RouteLayer } from '../http/route-layer.js';
import { requestIdOf } from '../http/request-context.js';
import { docsSecurityHeaders } from '../http/security-headers.js';
import { createApiDocument } from './api-document.js';
import { exactNumbersPlugin } from './exact-numbers.plugin.js';

const PAGES = ['/docs', '/openapi.json', '/openapi.yaml'];

/**
 * Serves Swagger UI at `/docs` and the document at `/openapi.json` and `/openapi.yaml`; the document is made when first
 * asked for. To be called before the routes of the API are made.
 *
 * @returns what moves it behind those routes, once they are there: a request for them then need not pass a dozen
 *   addresses that are rarely asked for
 */
export function serveApiDocs(app: NestExpressApplication, environment: Environment): { moveBehindApi: () => void } {
  const { stack } = app.getHttpAdapter().getInstance().router as unknown as { stack: RouteLayer[] };
  const first = stack.length;
  app.use(PAGES, (request: Request, response: Response, next: () => void) => {
    response.setHeader('X-Request-Id', requestIdOf(request));
    response.setHeader('Cache-Control', 'no-cache');
    docsSecurityHeaders(request, response, next);
  });
  SwaggerModule.setup('docs', app, () => createApiDocument(app, environment), {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Animal Store API',
    patchDocumentOnRequest: (request, _response, document) => documentFor(request as Request, document),
    swaggerOptions: {
      persistAuthorization: false,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      plugins: [exactNumbersPlugin],
    },
  });
  const count = stack.length - first;
  return {
    moveBehindApi: () => {
      const layers = stack.splice(first, count);
      stack.splice(stack.findIndex(isFallback), 0, ...layers);
    },
  };
}

/** The page tries the service that serves it; the published document names the environments alone. */
function documentFor(request: Request, document: OpenAPIObject): OpenAPIObject {
  if (!request.path.endsWith('.js')) return document;
  return { ...document, servers: [{ url: '/v1', description: 'This server' }, ...(document.servers ?? [])] };
}
