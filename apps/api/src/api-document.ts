import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { CHALLENGE, PUBLIC_EXTENSION, SCOPES_EXTENSION } from '@animal-store/auth';
import {
  completeDocument,
  ErrorCodes,
  ErrorResponse,
  FIXED_FIELD_NAMES,
  ModuleHeaders,
  SecuritySchemes,
} from '@animal-store/http';
import type { Environment } from './settings/environment.js';

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
  `Every response also has these header fields: ${FIXED_FIELD_NAMES.map((name) => `\`${name}\``).join(', ')}. Their values are always the same, except that \`Vary\` also has \`Origin\` if web pages of other origins may call the service.`,
  'Every error has the body `{code, message, status}`. `code` is for programs; `message` is for people, and may change.',
  'An error may also have `RateLimit-Policy` and `RateLimit` (if there is a limit), and `Deprecation`, `Sunset` and `Link` (if the operation is deprecated).',
].join('\n\n');

/** The OpenAPI document of the service, made from its controllers. `docs/openapi.yaml` is a copy; a test compares both. */
export function createApiDocument(app: INestApplication, environment: Environment): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Animal Store')
    .setDescription(DESCRIPTION)
    .setVersion(API_VERSION)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .setExternalDoc(GUIDE.description, GUIDE.url)
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'API key', description: 'An API key.' }, KEY_SCHEME)
    .setOpenAPIVersion('3.0.3');
  for (const [name, scheme] of app.get(SecuritySchemes, { strict: false })) builder.addSecurity(name, scheme as never);
  for (const { url, description } of serversOf(environment)) builder.addServer(url, description);
  const made = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [ErrorResponse],
    // The default for the `list` of an OrdersController is listOrders.
    operationIdFactory: (controller, method) => `${method}${controller.replace(/Controller$/, '')}`,
  });
  const document = completeDocument(made, {
    codes: app.get(ErrorCodes, { strict: false }),
    keyScheme: KEY_SCHEME,
    publicExtension: PUBLIC_EXTENSION,
    scopesExtension: SCOPES_EXTENSION,
    collection: `${BASE_PATH}/pets`,
    moduleHeaders: app.get(ModuleHeaders, { strict: false }),
    challenge: CHALLENGE,
  });
  const { openapi, info, externalDocs, servers = [], tags = [], components = {} } = document;
  return {
    openapi,
    info: { ...info, contact: CONTACT },
    ...(externalDocs && { externalDocs }),
    servers,
    tags,
    paths: pathsFromServers(document),
    components,
  };
}

/** Absolute, because generated clients and imported collections do not know the address of the document. */
function serversOf({ PRODUCTION_BASE_URL, STAGING_BASE_URL }: Environment): { url: string; description: string }[] {
  const environments = [
    { url: PRODUCTION_BASE_URL, description: 'Production' },
    { url: STAGING_BASE_URL, description: 'Staging' },
  ];
  const named = environments.flatMap(({ url, description }) => (url === undefined ? [] : [{ url, description }]));
  return named.length > 0 ? named : [{ url: `http://127.0.0.1:3000${BASE_PATH}`, description: 'A local service' }];
}

/**
 * The paths of the document, relative to the addresses of the servers, which end with the base path. A path outside of
 * it, for example of another version, has servers of its own.
 */
function pathsFromServers({ paths, servers = [] }: OpenAPIObject): OpenAPIObject['paths'] {
  const roots = servers.map((server) => ({ ...server, url: server.url.replace(/\/v1\/?$/, '') }));
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) =>
      path.startsWith(`${BASE_PATH}/`) ? [path.slice(BASE_PATH.length), item] : [path, { ...item, servers: roots }],
    ),
  );
}
