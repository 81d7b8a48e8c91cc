import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Environment } from '../environment.js';
import {
  BASE_ERROR_CODES,
  describeDocument,
  ErrorResponse,
  FIXED_FIELDS,
  groupsOf,
  type ErrorCodeEntry,
} from '@animal-store/http';

/** The version of the interface description. */
const API_VERSION = '1.0.0';
/** The contact for the interface. */
const CONTACT = { name: 'Animal Store', email: 'api@animal-store.example' };
/** A part of the base addresses, so the paths of the document do not contain it. */
const BASE_PATH = '/v1';
/** Groups that the specification names and that have no operations yet. */
const GROUPS_TO_COME = [{ name: 'Store', description: 'Orders. No operation is published yet.' }];

/** The introduction of the document. Its links lead to the guide that the service serves beside the document. */
function descriptionOf(guide: string, codes: [string, ErrorCodeEntry][]): string {
  const fixed = FIXED_FIELDS.map((name) => `\`${name}\``).join(', ');
  const paragraphs = [
    `A catalogue of animals for sale. [The guide](${guide}) tells how to start, to page, to retry and to stay compatible.`,
    'Every request carries an API key: `Authorization: Bearer <API_KEY>`.',
    'Identifiers are 64-bit integers written as JSON numbers: ' +
      `[parse them without rounding](${guide}integers). One of the examples is beyond 2^53.`,
    `Every answer also carries, always with the same values, ${fixed}. Where the service lets the pages of other origins ` +
      'in, answers to them carry the `Access-Control-` fields of CORS.',
    'Every error has the body `{code, message, status}`. What it means is in `code`; `message` is for people, and may ' +
      'change. There may be more codes some day: take one that you do not know for what its `status` says.',
    tableOf(guide, codes),
  ];
  return paragraphs.join('\n\n');
}

/** The meaning of each error code, including those of all modules. */
function tableOf(guide: string, codes: [string, ErrorCodeEntry][]): string {
  const rows = codes.map(([code, { status, meaning }]) => `| ${linked(code, guide)} | ${status} | ${meaning} |`);
  return ['| code | status | meaning |', '|---|---|---|', ...rows].join('\n');
}

/** The guide describes the codes that every application has. */
function linked(code: string, guide: string): string {
  return code in BASE_ERROR_CODES ? `[\`${code}\`](${guide}errors#${code})` : `\`${code}\``;
}

/** The OpenAPI document of the service, made from its controllers. `docs/openapi.yaml` is a copy; a test compares both. */
export function createApiDocument(app: INestApplication, environment: Environment): OpenAPIObject {
  const guide = `${rootOf(environment.PRODUCTION_BASE_URL)}/docs/guide/`;
  const config = new DocumentBuilder()
    .setTitle('Animal Store')
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
    // The default for the `list` of an OrdersController is listOrders.
    operationIdFactory: (controller, method) => `${method}${controller.replace(/Controller$/, '')}`,
  });
  const codes = describeDocument(app, document);
  const { openapi, servers = [], components = {} } = document;
  return {
    openapi,
    info: { ...document.info, contact: { ...CONTACT, url: guide }, description: descriptionOf(guide, codes) },
    externalDocs: { description: 'The guide', url: guide },
    servers,
    tags: groupsOf(app, document, GROUPS_TO_COME),
    paths: pathsFromServers(document),
    components,
  };
}

/**
 * The paths of the document, relative to the addresses of the servers, which end with the base path. A path outside of
 * it, for example of another version, has servers of its own.
 */
function pathsFromServers({ paths, servers = [] }: OpenAPIObject): OpenAPIObject['paths'] {
  const roots = servers.map((server) => ({ ...server, url: rootOf(server.url) }));
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) =>
      path.startsWith(`${BASE_PATH}/`) ? [path.slice(BASE_PATH.length), item] : [path, { ...item, servers: roots }],
    ),
  );
}

/** The address before the base path. */
function rootOf(baseUrl: string): string {
  return baseUrl.replace(/\/v1\/?$/, '');
}
