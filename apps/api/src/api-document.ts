import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject } from '@nestjs/swagger';
import { PUBLIC_ROUTE, ROUTE_SCOPES } from '@animal-store/auth';
import { createDocument, FIXED_FIELDS } from '@animal-store/http';
import type { Environment } from './settings/environment.js';

/** The version of the interface description. */
const API_VERSION = '1.0.0';
/** A part of the base addresses, so the paths of the document do not contain it. */
const BASE_PATH = '/v1';
const KEY_SCHEME = 'bearerAuth';

const DESCRIPTION = [
  'A catalogue of animals for sale. Every request needs an API key: `Authorization: Bearer <API_KEY>`.',
  'IDs are 64-bit integers, written as JSON numbers. Parse them without rounding.',
  `Every response also has these header fields: ${FIXED_FIELDS.map((name) => `\`${name}\``).join(', ')}. Their values are always the same, except that \`Vary\` also has \`Origin\` if web pages of other origins may call the service.`,
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
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'API key', description: 'An API key.' }, KEY_SCHEME)
    .setOpenAPIVersion('3.0.3');
  for (const { url, description } of serversOf(environment)) builder.addServer(url, description);
  const document = createDocument(app, builder.build(), {
    publicRoute: PUBLIC_ROUTE,
    routeScopes: ROUTE_SCOPES,
    keyScheme: KEY_SCHEME,
    collection: `${BASE_PATH}/pets`,
  });
  const { openapi, info, servers = [], tags = [], components = {} } = document;
  // Swagger adds an empty one.
  Reflect.deleteProperty(info, 'contact');
  return { openapi, info, servers, tags, paths: pathsFromServers(document), components };
}

/** Without the address of an environment: relative to the address of the document, whatever a proxy puts before it. */
function serversOf({ PRODUCTION_BASE_URL, STAGING_BASE_URL }: Environment): { url: string; description: string }[] {
  const environments = [
    { url: PRODUCTION_BASE_URL, description: 'Production' },
    { url: STAGING_BASE_URL, description: 'Staging' },
  ];
  const named = environments.flatMap(({ url, description }) => (url === undefined ? [] : [{ url, description }]));
  return named.length > 0 ? named : [{ url: `.${BASE_PATH}`, description: 'This service' }];
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
