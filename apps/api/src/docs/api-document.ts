import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Environment } from '../environment.js';
import {
  describeDeprecations,
  describeErrors,
  describeLists,
  ErrorCodes,
  ErrorResponse,
  groupsOf,
  RouteTable,
} from '@animal-store/http';

/** The version of the interface description. */
const API_VERSION = '1.0.0';
/** Part of the base addresses, and so not of the paths in the document. */
const BASE_PATH = '/v1';
/** Groups that the specification names, until a feature brings their operations. */
const GROUPS_TO_COME = [{ name: 'Store', description: 'Orders. No operation is published yet.' }];

const DESCRIPTION = `A catalogue of animals for sale.

Every request carries an API key: \`Authorization: Bearer <API_KEY>\`. Every error has the body \`{code, message, status}\`.
Identifiers are 64-bit integers written as JSON numbers: parse them without rounding.
`;

/** What each error code means, those of all modules together. */
function tableOf(codes: ErrorCodes): string {
  const rows = codes.all().map(([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} |`);
  return ['| code | status | meaning |', '|---|---|---|', ...rows, ''].join('\n');
}

/** The OpenAPI document of the service, made from its controllers. \`docs/openapi.yaml\` holds a copy, and a test holds them together. */
export function createApiDocument(app: INestApplication, environment: Environment): OpenAPIObject {
  const codes = app.get(ErrorCodes, { strict: false });
  const config = new DocumentBuilder()
    .setTitle('Animal Store')
    .setDescription(`${DESCRIPTION}\n${tableOf(codes)}`)
    .setVersion(API_VERSION)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(environment.PRODUCTION_BASE_URL, 'Production')
    .addServer(environment.STAGING_BASE_URL, 'Staging')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'API key', description: 'An API key.' },
      'bearerAuth',
    )
    .setOpenAPIVersion('3.0.3')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    extraModels: [ErrorResponse],
    // The `list` of an OrdersController is listOrders, unless it says otherwise.
    operationIdFactory: (controller, method) => `${method}${controller.replace(/Controller$/, '')}`,
  });
  describeDeprecations(document, app.get(RouteTable, { strict: false }));
  describeErrors(document, codes);
  describeLists(document);
  const { openapi, info, servers = [], components = {} } = document;
  const tags = groupsOf(app, document, GROUPS_TO_COME);
  return { openapi, info, servers, tags, paths: pathsFromServers(document), components };
}

/**
 * The paths as they follow the addresses of the servers, which end with the base path. A path outside of it, as one of
 * another version, brings servers of its own.
 */
function pathsFromServers({ paths, servers = [] }: OpenAPIObject): OpenAPIObject['paths'] {
  const roots = servers.map((server) => ({ ...server, url: server.url.replace(/\/v1\/?$/, '') }));
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) =>
      path.startsWith(`${BASE_PATH}/`) ? [path.slice(BASE_PATH.length), item] : [path, { ...item, servers: roots }],
    ),
  );
}
