import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, getSchemaPath, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response, NextFunction } from 'express';
import { PUBLIC_EXTENSION } from '@animal-store/auth';
import { stringify } from 'yaml';
import { completeDocument, ErrorCodes, ErrorResponse, MAX_LIMIT } from '@animal-store/http';
import { PetResponse } from './pets/pet.dto.js';
import type { Environment } from './settings.js';

/** The version of the interface description. */
const API_VERSION = '1.0.0';
/** A part of the base addresses, so the paths of the document do not contain it. */
const BASE_PATH = '/v1';
const KEY_SCHEME = 'bearerAuth';

/** Whom callers ask, and where the guide of `docs/api` is published: docs/make-it-yours.md says to change both. */
const CONTACT = { name: 'Animal Store', url: 'https://animal-store.example' };
const GUIDE = { description: 'The guide', url: 'https://animal-store.example/guide/' };

const DESCRIPTION = [
  'A catalogue of animals for sale. Every request needs an API key: `Authorization: Bearer <API_KEY>`.',
  'IDs are 64-bit integers, written as JSON numbers. Parse them without rounding.',
  'Every response also has these header fields: `Cache-Control`, `Content-Security-Policy`, `Strict-Transport-Security`, `X-Content-Type-Options`, `Vary`. Their values are always the same, except that `Vary` also has `Origin` if web pages of other origins may call the service.',
  'Every error has the body `{code, message, status}`. `code` is for programs; `message` is for people, and may change.',
  'If the requests of an API key are limited, the responses to them also have `RateLimit-Policy` and `RateLimit`. Errors of a deprecated operation have its `Deprecation`, `Sunset` and `Link`, too.',
].join('\n\n');

/** The page asks no other host. It has a script and styles of its own, and Swagger UI sets styles. */
const PAGE_POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'",
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

/** No anchors, which not every reader of OpenAPI documents understands. */
const YAML = { aliasDuplicateObjects: false, singleQuote: true };

/** Publishes the document at `/openapi.json` and `/openapi.yaml`, and Swagger UI at `/docs`. */
export function publishDocument(app: INestApplication, environment: Environment): void {
  const document = createApiDocument(app, environment);
  app.use('/docs', (_request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    next();
  });
  // Rendered once: Swagger would render the document for each request of an unauthenticated client.
  const texts = { json: JSON.stringify(document), yaml: stringify(document, YAML) };
  for (const [type, text] of Object.entries(texts))
    app.getHttpAdapter().get(`/openapi.${type}`, (_request: Request, response: Response) => {
      response.type(type).send(text);
    });
  // The page calls the service that serves it, under the prefix that a proxy removes.
  const servers = [{ url: `${environment.PUBLIC_PATH_PREFIX ?? ''}${BASE_PATH}`, description: 'This service' }];
  SwaggerModule.setup(
    'docs',
    app,
    { ...document, servers },
    {
      raw: false,
      customSiteTitle: `${document.info.title} API`,
      // By default the page shows a badge from another host.
      swaggerOptions: { deepLinking: true, tryItOutEnabled: true, displayRequestDuration: true, validatorUrl: 'none' },
    },
  );
}

/** The OpenAPI document of the service, made from its controllers. `docs/openapi.yaml` is a copy; a test compares both. */
function createApiDocument(app: INestApplication, environment: Environment): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Animal Store')
    .setDescription(DESCRIPTION)
    .setVersion(API_VERSION)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .setExternalDoc(GUIDE.description, GUIDE.url)
    .addTag('Pets', 'The animals of the catalogue.')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'API key', description: 'An API key.' }, KEY_SCHEME)
    .setOpenAPIVersion('3.0.3');
  // Absolute, because generated clients and imported collections do not know the address of the document.
  const { PRODUCTION_BASE_URL: production, STAGING_BASE_URL: staging, PORT } = environment;
  if (production !== undefined) builder.addServer(production, 'Production');
  if (staging !== undefined) builder.addServer(staging, 'Staging');
  if ((production ?? staging) === undefined)
    builder.addServer(`http://127.0.0.1:${PORT}${BASE_PATH}`, 'A local service');
  const document = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [ErrorResponse],
    // The default for the `list` of an OrdersController is listOrders.
    operationIdFactory: (controller, method) => `${method}${controller.replace(/Controller$/, '')}`,
  });
  // Swagger has no class for a list with a name of its own.
  (document.components ??= {}).schemas ??= {};
  document.components.schemas['Pets'] = {
    type: 'array',
    description: 'Animals in ascending order of id.',
    minItems: 0,
    maxItems: MAX_LIMIT,
    items: { $ref: getSchemaPath(PetResponse) },
  };
  // Swagger has no decorator for this.
  Object.assign(document.components.schemas['NewPet'] ?? {}, { additionalProperties: false });
  const { openapi, info, paths, components, ...rest } = completeDocument(document, {
    codes: app.get(ErrorCodes, { strict: false }),
    keyScheme: KEY_SCHEME,
    publicExtension: PUBLIC_EXTENSION,
  });
  const relative = pathsFromServers(paths, rest.servers);
  return { openapi, info: { ...info, contact: CONTACT }, ...rest, paths: relative, components };
}

/** Paths relative to the servers, whose addresses end with the base path. A path outside of it has servers of its own. */
function pathsFromServers(paths: OpenAPIObject['paths'], servers: OpenAPIObject['servers'] = []) {
  const roots = servers.map((server) => ({ ...server, url: server.url.replace(/\/v1$/, '') }));
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) =>
      path.startsWith(`${BASE_PATH}/`) ? [path.slice(BASE_PATH.length), item] : [path, { ...item, servers: roots }],
    ),
  );
}
