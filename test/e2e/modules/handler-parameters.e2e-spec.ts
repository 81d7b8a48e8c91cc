import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import {
  Body,
  Controller,
  Get,
  HostParam,
  MaxFileSizeValidator,
  Module,
  Param,
  ParseFilePipe,
  Post,
  QueryMethod,
  RawBody,
  StreamableFile,
  UploadedFile,
  UseInterceptors,
} from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { FileInterceptor, type NestExpressApplication } from '@nestjs/platform-express';
import {
  ApiConsumes,
  ApiOkResponse,
  ApiProperty,
  ApiSecurity,
  ApiUnauthorizedResponse,
  type OpenAPIObject,
} from '@nestjs/swagger';
import type { NextFunction, Request, Response as ExpressResponse } from 'express';
import { z } from 'zod';
import { Public } from '@animal-store/auth';
import { ApiErrors, ApiResource, HttpModule } from '@animal-store/http';
import { createMigratedDatabase } from '../../support/databases.js';
import { readError } from '../../support/error-body.js';
import { describedResponse, headersOf, type OpenApiDocument } from '../../support/openapi.js';
import { rawExchange } from '../../support/raw-http.js';
import { startApp, TEST_API_KEY, useApp } from '../../support/running-app.js';

interface SentFile {
  readonly originalname: string;
  readonly size: number;
}

@Controller({ path: 'requests', version: '1' })
class RequestsController {
  @Post('raw')
  raw(@RawBody() bytes: Buffer, @Body() body: unknown): unknown {
    return { bytes: bytes.toString(), body };
  }

  @Post('rows')
  @ApiConsumes('text/csv')
  rows(@RawBody() bytes: Buffer): unknown {
    return { bytes: bytes.toString('latin1') };
  }

  @QueryMethod('found')
  find(@Body() body: unknown): unknown {
    return { body };
  }

  @Post('file')
  @ApiConsumes('multipart/form-data')
  @UseInterceptors(FileInterceptor('file'))
  file(
    @UploadedFile(new ParseFilePipe({ validators: [new MaxFileSizeValidator({ maxSize: 10 })] })) { size }: SentFile,
  ): number {
    return size;
  }
}

@Controller({ path: 'answers', version: '1' })
class AnswersController {
  @Get('broken-file/:by')
  brokenFile(@Param('by') by: string): StreamableFile {
    const file = new StreamableFile(
      new Readable({
        read() {
          this.destroy(new Error('the disk is gone'));
        },
      }),
    );
    return by === 'nest'
      ? file
      : file.setErrorHandler((error, response) => {
          response.statusCode = 410;
          response.send(`own: ${error.message}`);
        });
  }

  @Get('web')
  web(): Response {
    return new Response('web', { status: 202, headers: { 'x-own': 'a', 'cache-control': 'no-store' } });
  }
}

@Controller({ path: 'hosted', version: '1', host: ':tenant.example.com' })
class HostController {
  @Get()
  get(@HostParam('tenant') tenant: string): unknown {
    return { tenant };
  }
}

@Controller({ path: 'items', version: '1' })
class ItemsController {
  @Get()
  list(): string[] {
    return ['item'];
  }
}

@Module({ controllers: [ItemsController] })
class ItemsModule {}

@Module({
  imports: [ItemsModule, RouterModule.register([{ path: 'shop', module: ItemsModule }])],
  controllers: [RequestsController, AnswersController, HostController],
})
class DocumentedModule {}

/** Changes the response as compression middleware does. */
function compress(_request: Request, response: ExpressResponse, next: NextFunction): void {
  const writeHead = response.writeHead.bind(response) as (status: number) => ExpressResponse;
  const end = response.end.bind(response) as (chunk: Buffer) => ExpressResponse;
  response.writeHead = ((status: number, fields: string[]) => {
    for (let index = 0; index < fields.length; index += 2) response.setHeader(fields[index]!, fields[index + 1]!);
    response.removeHeader('Content-Length');
    response.setHeader('Content-Encoding', 'gzip');
    return writeHead(status);
  }) as never;
  response.end = ((chunk: Buffer | string) => end(gzipSync(chunk))) as never;
  next();
}

function configure(nest: NestExpressApplication): void {
  nest.use('/v1/shop', compress);
}

const app = useApp(createMigratedDatabase, {}, { features: [DocumentedModule], configure });

async function answerOf(path: string, init = {}): Promise<unknown> {
  const answer = await app.request(`/v1/${path}`, init);
  return answer.ok ? await answer.json() : await readError(answer);
}

function json(body: string) {
  return { method: 'POST', body, headers: { 'content-type': 'application/json' } };
}

function form(field: string, size: number) {
  const body = new FormData();
  body.append(field, new Blob(['x'.repeat(size)]), 'a.txt');
  return { method: 'POST', body };
}

function atHost(host: string) {
  const bytes = [
    'GET /v1/hosted HTTP/1.1',
    `Host: ${host}`,
    `Authorization: Bearer ${TEST_API_KEY}`,
    'Connection: close',
  ];
  return rawExchange(app.port, `${bytes.join('\r\n')}\r\n\r\n`, 'GET');
}

describe('a handler takes, as the documentation of Nest has it,', () => {
  test('the bytes of a body by @RawBody(), beside what they mean', async () => {
    expect(await answerOf('requests/raw', json('{ "a":1}'))).toEqual({ bytes: '{ "a":1}', body: { a: 1 } });
  });

  test('the bytes of a body of another type that its route declares by @RawBody(), up to the limit', async () => {
    const csv = (body: string) => ({ method: 'POST', body, headers: { 'content-type': 'text/csv' } });
    expect(await answerOf('requests/rows', csv('a;b\n'))).toEqual({ bytes: 'a;b\n' });
    expect(await answerOf('requests/rows', csv('x'.repeat(200_000)))).toMatchObject({ code: 'payload_too_large' });
  });

  test('the body of QUERY', async () => {
    expect(await answerOf('requests/found', { ...json('{"a":1}'), method: 'QUERY' })).toEqual({ body: { a: 1 } });
  });

  test('a file, which ParseFilePipe looks at', async () => {
    expect(await answerOf('requests/file', form('file', 5))).toBe(5);
    expect(await answerOf('requests/file', form('file', 50))).toMatchObject({ status: 400 });
    expect(await answerOf('requests/file', form('other', 5))).toMatchObject({ status: 400 });
  });

  test('requests of a host, whose name has parameters; at other hosts there is nothing', async () => {
    const answers = [await atHost('shop.example.com'), await atHost('example.org')];
    expect(answers.map(({ status }) => status)).toEqual([200, 404]);
    expect(answers[0]?.body.toString()).toBe('{"tenant":"shop"}');
  });
});

describe('a handler answers, as the documentation of Nest has it,', () => {
  test('what setErrorHandler of a file sends, and the Error body without one', async () => {
    const answer = await app.request('/v1/answers/broken-file/hand');
    expect([answer.status, await answer.text()]).toEqual([410, 'own: the disk is gone']);
    expect(await answerOf('answers/broken-file/nest')).toMatchObject({ status: 500, code: 'internal_error' });
  });

  test('a Response of the web', async () => {
    const answer = await app.request('/v1/answers/web');
    expect([answer.status, await answer.text()]).toEqual([202, 'web']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-own': 'a',
      'cache-control': 'no-store',
      vary: 'Authorization',
      'x-content-type-options': 'nosniff',
    });
  });

  test('at the address that RouterModule gives, through a middleware that compresses', async () => {
    const answer = await app.request('/v1/shop/items');
    expect([answer.headers.get('content-encoding'), await answer.json()]).toEqual(['gzip', ['item']]);
  });
});

describe('the OpenAPI document', () => {
  enum Size {
    Small = 'small',
    Large = 'large',
  }

  class Crate {
    @ApiProperty({ enum: Size, enumName: 'Size' })
    size!: Size;
  }

  class Delivery {
    @ApiProperty({ type: 'integer', format: 'int64' })
    id!: bigint;

    @ApiProperty({ type: [Crate] })
    crates!: Crate[];
  }

  @(new ApiResource({ name: 'Delivery', one: 'delivery', type: Delivery }).group('Deliveries', 'What is on its way.'))
  @Controller({ path: 'deliveries', version: '2' })
  class DeliveriesController {
    @Get(':id')
    @ApiOkResponse({ type: Delivery })
    read(): Delivery {
      return { id: 1n, crates: [] };
    }

    @Post('files')
    @ApiConsumes('multipart/form-data')
    @UseInterceptors(FileInterceptor('file'))
    store(@UploadedFile() { size }: SentFile): number {
      return size;
    }
  }

  const JWT = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } as const;
  const SIGNATURE = { type: 'apiKey', in: 'header', name: 'X-Signature' } as const;

  @Controller({ path: 'parcels', version: '1' })
  class ParcelsController {
    @Get('closed')
    closed(): string {
      return 'closed';
    }

    @Get('signed')
    @ApiSecurity('signature')
    signed(): string {
      return 'signed';
    }

    @Public()
    @Get('open')
    open(): string {
      return 'open';
    }

    @Public()
    @Get('mine')
    @ApiSecurity('jwt')
    mine(): string {
      return 'mine';
    }

    @Public()
    @Get('couriers')
    @ApiSecurity('jwt')
    @ApiErrors('courier_unknown')
    couriers(): string {
      return 'couriers';
    }

    @Public()
    @Get('told')
    @ApiSecurity('jwt')
    @ApiUnauthorizedResponse({ description: 'The token is over.' })
    @ApiErrors('courier_unknown')
    told(): string {
      return 'told';
    }
  }

  const COURIER_UNKNOWN = { code: 'courier_unknown', status: 401, meaning: 'No courier has this token.' } as const;

  @Module({
    imports: [
      HttpModule.forFeature({ errorCodes: [COURIER_UNKNOWN], securitySchemes: { jwt: JWT, signature: SIGNATURE } }),
    ],
    controllers: [DeliveriesController, ParcelsController],
  })
  class DeliveriesModule {}

  const described = useApp(createMigratedDatabase, {}, { features: [DeliveriesModule] });

  test('has a controller of version 2 with servers of its own, in its group, with its nested classes', async () => {
    const document = (await (await described.request('/openapi.json')).json()) as OpenAPIObject;
    const { get, servers = [] } = document.paths['/v2/deliveries/{id}']!;
    expect(get).toMatchObject({
      operationId: 'readDeliveries',
      tags: ['Deliveries'],
      responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Delivery' } } } } },
    });
    expect(servers.length).toBe(document.servers?.length);
    expect(servers.some(({ url }) => url.endsWith('/v1'))).toBe(false);
    expect(document.tags).toContainEqual({ name: 'Deliveries', description: 'What is on its way.' });
    expect(document.components?.schemas).toMatchObject({
      Delivery: {
        properties: {
          id: { type: 'integer', format: 'int64' },
          crates: { type: 'array', items: { $ref: '#/components/schemas/Crate' } },
        },
      },
      Crate: { properties: { size: { allOf: [{ $ref: '#/components/schemas/Size' }] } } },
      Size: { type: 'string', enum: ['small', 'large'] },
    });
  });

  test.each([
    ['closed', [{ bearerAuth: [] }], ['401', '429']],
    ['signed', [{ bearerAuth: [], signature: [] }], ['401', '429']],
    ['open', [], []],
    ['mine', [{ jwt: [] }], ['401']],
  ])('says what a caller of %s needs: the API key, unless it is public, and a scheme of its own', async (...row) => {
    const [path, security, refusals] = row;
    const { paths, components } = (await (await described.request('/openapi.json')).json()) as OpenAPIObject;
    const operation = paths[`/parcels/${path}`]!.get!;
    const documented = ['401', '429'].filter((status) => status in operation.responses);
    expect([operation.security, documented]).toEqual([security, refusals]);
    expect(components?.securitySchemes).toMatchObject({ jwt: JWT, signature: SIGNATURE });
  });

  test('asks for the API key in a 401 only where the key is needed', async () => {
    const document = (await (await described.request('/openapi.json')).json()) as OpenApiDocument;
    const challenged = (path: string) =>
      headersOf(document, describedResponse(document, document.paths[path]!['get']!, 401)).some(
        ([name]) => name === 'WWW-Authenticate',
      );
    expect(['signed', 'mine', 'couriers', 'told'].map((name) => challenged(`/parcels/${name}`))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test('describes a 401 of its own by the code that the route names, unless the route describes it', async () => {
    const document = (await (await described.request('/openapi.json')).json()) as OpenApiDocument;
    const told = ['couriers', 'told'].map(
      (name) => describedResponse(document, document.paths[`/parcels/${name}`]!['get']!, 401).description,
    );
    expect(told).toEqual([COURIER_UNKNOWN.meaning, 'The token is over.']);
  });

  test('has no shared response without an example, and none that no operation refers to', async () => {
    const text = await (await described.request('/openapi.json')).text();
    const { responses = {} } = (JSON.parse(text) as OpenApiDocument).components;
    const examples = Object.values(responses).flatMap(({ content = {} }) => Object.values(content));
    expect(examples.filter(({ example }) => example === undefined)).toEqual([]);
    expect(Object.keys(responses).filter((name) => !text.includes(`"#/components/responses/${name}"`))).toEqual([]);
  });
});

describe('a schema', () => {
  @Controller({ path: 'schemas', version: '1' })
  class SchemasController {
    @Post()
    create(@Body({ schema: z.object({ a: z.string() }) }) body: unknown): unknown {
      return body;
    }
  }

  @Module({ controllers: [SchemasController] })
  class SchemasModule {}

  const strict = useApp(createMigratedDatabase, {}, { features: [SchemasModule] });

  test('of a parameter is checked, as by the pipe of Nest', async () => {
    const answers = [
      await strict.request('/v1/schemas', json('{"a":"b"}')),
      await strict.request('/v1/schemas', json('{"a":1}')),
    ];
    expect(await answers[0]?.json()).toEqual({ a: 'b' });
    expect(await readError(answers[1]!)).toMatchObject({
      status: 400,
      message: expect.stringMatching(/^a: /) as string,
    });
  });
});

test('two routes of the same method and address are refused at start', async () => {
  @Controller({ path: 'refused', version: '1' })
  class Twice {
    @Get('same')
    one(): string {
      return 'one';
    }

    @Get('same')
    other(): string {
      return 'other';
    }
  }
  @Module({ controllers: [Twice] })
  class Refused {}
  await expect(startApp(app.database, {}, { features: [Refused] })).rejects.toThrow('/v1/refused/same');
});
