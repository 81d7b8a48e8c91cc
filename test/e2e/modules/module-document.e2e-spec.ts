import { Body, Controller, Get, HttpCode, Module, Param, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiHeader,
  ApiOkResponse,
  ApiProperty,
  ApiPropertyOptional,
  ApiTags,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsArray, IsEnum, ValidateNested } from 'class-validator';
import { Public, Scopes } from '@animal-store/auth';
import {
  HttpModule,
  Int64IdPipe,
  IsInt64,
  Optional,
  pageOf,
  PageRequest,
  Pages,
  SentIdempotencyKey,
  type HttpResponse,
} from '@animal-store/http';
import type { IdempotencyKey } from '@animal-store/kernel';
import { createMigratedDatabase } from '../../support/databases.js';
import { describedResponse, headersOf, type OpenApiDocument, type Operation } from '../../support/openapi.js';
import { readError } from '../../support/error-body.js';
import { nextPage } from '../../support/page-links.js';
import { useApp } from '../../support/running-app.js';
import { createApiKey } from '../../support/test-api-key.js';

enum Size {
  Small = 'small',
  Large = 'large',
}

class Crate {
  @ApiProperty({ enum: Size, enumName: 'Size' })
  @IsEnum(Size)
  size!: Size;
}

class NewDelivery {
  @ApiProperty({ type: [Crate] })
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Crate)
  crates!: Crate[];
}

class Delivery extends NewDelivery {
  @ApiProperty({ type: 'integer', format: 'int64' })
  id!: bigint;
}

class ListDeliveries extends PageRequest {
  @ApiPropertyOptional({ type: 'integer', format: 'int64' })
  @Optional()
  @IsInt64()
  customer?: bigint;
}

@ApiTags('Deliveries')
@Controller({ path: 'deliveries', version: '1' })
class DeliveriesController {
  constructor(private readonly pages: Pages) {}

  @Get()
  @ApiOkResponse({ type: [Delivery] })
  list(@Query() query: ListDeliveries): Promise<HttpResponse> {
    return this.pages.respond('/v1/deliveries', query, ({ limit, afterId = 0n, customer = 0n }) => {
      const ids = [1n, 2n, 3n].map((id) => customer + id).filter((id) => id > afterId);
      return Promise.resolve(
        pageOf(
          ids.slice(0, limit + 1).map((id) => ({ id })),
          limit,
        ),
      );
    });
  }

  @Post()
  @Scopes('deliveries:write')
  @ApiCreatedResponse({ type: Delivery })
  create(@Body() delivery: NewDelivery, @SentIdempotencyKey() key?: IdempotencyKey): unknown {
    return { delivery, key };
  }

  @Get(':id')
  @ApiOkResponse({ type: Delivery, headers: { 'X-Courier': { schema: { type: 'string' } } } })
  @ApiHeader({ name: 'X-Courier' })
  read(@Param('id', new Int64IdPipe('delivery')) id: bigint): unknown {
    return { id };
  }

  @Post(':id/arrival')
  @HttpCode(200)
  @ApiOkResponse({ type: Delivery })
  arrive(@Param('id', new Int64IdPipe('delivery')) id: bigint): unknown {
    return { id };
  }

  @Public()
  @Get('of/couriers')
  @ApiUnauthorizedResponse({ description: 'The token is over.' })
  ofCouriers(): string[] {
    return [];
  }
}

@Module({
  imports: [
    HttpModule.forFeature({
      errorCodes: [{ code: 'courier_unknown', kind: 'unauthorized', meaning: 'No courier has this token.' }],
    }),
  ],
  controllers: [DeliveriesController],
})
class DeliveriesModule {}

const app = useApp(createMigratedDatabase, {}, { features: [DeliveriesModule] });

test('a module lists by Pages: a link leads to the next page, with its limit and its filters', async () => {
  const visited: string[] = [];
  let at: string | undefined = '/v1/deliveries?limit=2&customer=9007199254740990';
  for (; at !== undefined;) {
    const page: Response = await app.request(at);
    visited.push(await page.text());
    at = nextPage(page);
  }
  expect(visited).toEqual(['[{"id":9007199254740991},{"id":9007199254740992}]', '[{"id":9007199254740993}]']);
});

test('a key without the scope of a route gets 403 there, and is let in elsewhere', async () => {
  const key = await createApiKey(app, ['deliveries:read']);
  const answer = await app.request('/v1/deliveries', { method: 'POST', key });
  const message = 'The API key lacks the scope deliveries:write: ask for a key that has it';
  expect(await readError(answer)).toEqual({ code: 'forbidden', message, status: 403 });
  expect((await app.request('/v1/deliveries', { key })).status).toBe(200);
});

describe('the document of a module that uses the decorators of Swagger', () => {
  let document: OpenApiDocument;

  beforeAll(async () => {
    document = (await (await app.request('/openapi.json')).json()) as OpenApiDocument;
  });

  function operationAt(path: string, method = 'get'): Operation {
    return document.paths[path]![method]!;
  }

  test('has what they say: operations, parameters, classes in classes', () => {
    expect(operationAt('/deliveries').parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['limit', 'cursor', 'customer']),
    );
    expect(operationAt('/deliveries/{id}')).toMatchObject({
      operationId: 'readDeliveries',
      tags: ['Deliveries'],
      responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Delivery' } } } } },
    });
    expect(document.components.schemas).toMatchObject({
      Delivery: { properties: { crates: { type: 'array', items: { $ref: '#/components/schemas/Crate' } } } },
      Size: { type: 'string', enum: ['small', 'large'] },
    });
  });

  test('gets the key, the common errors and X-Request-Id', () => {
    const create = operationAt('/deliveries', 'post');
    expect(create).toMatchObject({ security: [{ bearerAuth: [] }] });
    expect(Object.keys(create.responses)).toEqual(
      expect.arrayContaining(['201', '400', '401', '403', '413', '415', '422', '429', '500', '503']),
    );
    const fields = headersOf(document, describedResponse(document, create, 201)).map(([name]) => name);
    expect(fields).toEqual(['X-Request-Id', 'ETag']);
    const read = operationAt('/deliveries/{id}');
    expect(Object.keys(read.responses)).toEqual(expect.arrayContaining(['200', '304', '404']));
    expect(headersOf(document, describedResponse(document, read, 200)).map(([name]) => name)).toContain('X-Courier');
  });

  test('promises 304 only for what is read', () => {
    expect(operationAt('/deliveries/{id}/arrival', 'post').responses).not.toHaveProperty('304');
  });

  test('says of a public route that it needs no key, and keeps what the route says of its errors', () => {
    const operation = operationAt('/deliveries/of/couriers');
    expect(operation).not.toHaveProperty('security');
    expect(describedResponse(document, operation, 401).description).toBe('The token is over.');
  });

  test('lists the error codes of the module', () => {
    const { description } = document.components.schemas['Error']!.properties!['code']!;
    expect(description).toContain('- `courier_unknown` (401): No courier has this token.');
  });
});
