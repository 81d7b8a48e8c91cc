import express from 'express';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Length, Max, Min, ValidateNested } from 'class-validator';
import { generateApiKey, hideApiKeys, InMemoryApiKeys, isWellFormedApiKey } from '@animal-store/auth';
import { createExpress, IsInt64 } from '@animal-store/http';
import { parseInt64 } from '@animal-store/kernel';
import { matchesEntityTag } from '../../libs/http/src/responses/http-response.js';
import { parseJsonBody } from '../../libs/http/src/json/exact-json.js';
import { isJsonMediaType } from '../../libs/http/src/bodies/request-body.js';
import { requestIdOf } from '../../libs/http/src/requests/request-context.js';
import { parsePrefix } from '../../libs/http/src/requests/forwarded-prefix.js';
import { prepareTarget } from '../../libs/http/src/requests/request-target.js';
import { CreatePetRequest, ListPetsQuery } from '../../apps/api/src/pets/pet.dto.js';
import { PageCursors } from '../../libs/http/src/pages/page-cursors.js';
import { RequestValidationPipe } from '../../libs/http/src/validation/request-validation.pipe.js';
import { ApiKeyAuthenticator } from '../../libs/auth/src/api-key-authenticator.js';
import { idempotencyKeyOf } from '../../libs/http/src/requests/idempotency-key.decorator.js';

/** A function that parses a text from outside. */
export interface Reader {
  readonly what: string;
  /** Beginnings with which a text passes the first checks. The rest of the text does not depend on them. */
  readonly beginnings: readonly string[];
  /** May throw any error. */
  readonly read: (text: string) => unknown;
}

function requestWith(name: string, value: string): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.headers[name] = value;
  request.rawHeaders = ['Host', 'a'];
  return request;
}

const pipe = new RequestValidationPipe();
const parseQuery = createExpress({ bodyLimit: 1, bodiesLimit: 1 }).get('query parser fn') as (text: string) => object;
const cursors = new PageCursors(() => Promise.resolve(Buffer.alloc(32)));
const authenticator = new ApiKeyAuthenticator(new InMemoryApiKeys());
const KEY = generateApiKey('asdev');

/** The paths of the routes as Nest passes them to Express. */
const ROUTES = ['/v1/pets', '/v1/pets/:petId', '/v1', '/v1/{*path}', '/{*path}', '/docs', '/health/live'];

interface Layer {
  match(path: string): boolean;
}

const application = express();
for (const route of ROUTES) application.get(route, () => undefined);
const layers = application.router.stack as unknown as Layer[];

/**
 * Every function that reads a header field or the target of a request. Add each new pattern that is applied to input,
 * with the beginnings that a text needs to reach each loop of the pattern.
 */
export const HEADER_READERS: readonly Reader[] = [
  {
    what: 'Content-Type',
    beginnings: ['', 'application/json', 'application/json;', 'application/json; charset=utf-8', 'application/json\t;'],
    read: isJsonMediaType,
  },
  {
    what: 'Authorization',
    beginnings: ['', 'Bearer ', `Bearer ${KEY}`, 'Bearer asdev_'],
    read: (text) => authenticator.authenticate([text]),
  },
  { what: 'the form of a key', beginnings: ['', 'asdev_', KEY], read: isWellFormedApiKey },
  { what: 'a text that may hold a key', beginnings: ['', 'asdev_', KEY], read: (text) => hideApiKeys(text, KEY) },
  { what: 'X-Request-Id', beginnings: ['', 'a'], read: (text) => requestIdOf(requestWith('x-request-id', text)) },
  {
    what: 'traceparent',
    beginnings: ['', '00-', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`],
    read: (text) => requestIdOf(requestWith('traceparent', text)),
  },
  { what: 'X-Forwarded-Prefix', beginnings: ['', '/', '/shop'], read: parsePrefix },
  {
    what: 'Idempotency-Key',
    beginnings: ['', 'a'.repeat(255)],
    read: (text) => {
      const request = requestWith('idempotency-key', text);
      Object.assign(request, { user: { id: '1', keyName: 'shop', holder: 'lineage:1' } });
      return idempotencyKeyOf(request);
    },
  },
  { what: 'If-None-Match', beginnings: ['', '*', 'W/', '"'], read: (text) => matchesEntityTag(text, '"a"') },
  {
    what: 'the target of a request',
    beginnings: ['', '/', '/v1/pets?', 'http://', 'http://a', 'http://a/', 'http://a?', 'https://xn--', 'http://['],
    read: (text) => {
      const request = requestWith('accept', '*/*');
      request.url = text;
      return prepareTarget(request);
    },
  },
  {
    what: 'the routes',
    beginnings: ['/', '/v1', '/v1/', '/v1/pets/', '/v1/pets/1', '/docs'],
    read: (text) => layers.map((layer) => layer.match(text)),
  },
  { what: 'a petId', beginnings: ['', '-', '1'], read: parseInt64 },
  {
    what: 'the query of listPets',
    beginnings: ['', 'limit=', 'status=', 'cursor=', 'a&', 'limit=1&', 'limit&limit&'],
    read: (text) => pipe.transform(parseQuery(text), { type: 'query', metatype: ListPetsQuery, data: undefined }),
  },
  {
    what: 'a cursor',
    beginnings: ['', 'AAAA'],
    read: (text) => {
      cursors.decode(text, '').catch(() => undefined);
    },
  },
];

class OrderLine {
  @IsString()
  @Length(1, 20)
  readonly sku!: string;

  @IsInt()
  @Min(1)
  @Max(10)
  readonly quantity!: number;

  @IsOptional()
  @IsInt64()
  readonly weight?: bigint;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => OrderLine)
  readonly lines?: OrderLine[];
}

/** A body that contains objects, as a module may have it. */
class Order {
  @ValidateNested({ each: true })
  @Type(() => OrderLine)
  readonly lines!: OrderLine[];

  @IsOptional()
  @ValidateNested()
  @Type(() => OrderLine)
  readonly gift?: OrderLine;

  @IsOptional()
  @IsInt64({ each: true })
  readonly petIds?: bigint[];

  @IsOptional()
  readonly note?: unknown;
}

/** Reads a body that contains objects, from its bytes to the object that a handler receives. */
export async function readOrder(bytes: Buffer): Promise<unknown> {
  return await pipe.transform(parseJsonBody(bytes), { type: 'body', metatype: Order, data: undefined });
}

/** Reads the body of createPet, from its bytes to the object that the controller receives. */
export function readCreatePet(bytes: Buffer): unknown {
  return pipe.transform(parseJsonBody(bytes), { type: 'body', metatype: CreatePetRequest, data: undefined });
}
