import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Catch,
  ClassSerializerInterceptor,
  Controller,
  Get,
  Header,
  HttpCode,
  HttpException,
  Module,
  Param,
  Post,
  Put,
  Redirect,
  Req,
  Res,
  Sse,
  UseFilters,
  UseInterceptors,
  type ArgumentsHost,
  type CallHandler,
  type ExceptionFilter,
  type ExecutionContext,
  type MessageEvent,
  type NestInterceptor,
} from '@nestjs/common';
import { BaseExceptionFilter, Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '@animal-store/auth';
import {
  ApiErrors,
  ErrorCodes,
  ErrorFilter,
  HttpModule,
  HttpResponse,
  stringifyExactJson,
  UnpackedResponse,
} from '@animal-store/http';
import type { Request, Response as ExpressResponse } from 'express';
import { map, of, type Observable } from 'rxjs';
import { createMigratedDatabase } from '../../support/databases.js';
import { readError } from '../../support/error-body.js';
import { Scrape, WITH_METRICS } from '../../support/scraped-metrics.js';
import { describedResponse, type OpenApiDocument } from '../../support/openapi.js';
import { rawExchange, requestBytes } from '../../support/raw-http.js';
import { startApp, TEST_API_KEY, useApp } from '../../support/running-app.js';

const DEFECT = 'The service failed to handle the request: report the X-Request-Id of this response';

const EXACT = 9_007_199_254_740_993n;

class OutOfStockError extends Error {
  readonly kind = 'conflict';
  readonly code = 'out_of_stock';
}

@Catch()
class FilterByHand implements ExceptionFilter {
  catch(_error: unknown, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<ExpressResponse>().status(418).json({ filtered: EXACT });
  }
}

@Catch()
class FilterOfModule extends ErrorFilter {
  override catch(error: unknown, host: ArgumentsHost): void {
    super.catch(error, host);
  }
}

@Catch()
class FilterOfNest extends BaseExceptionFilter {
  override catch(error: unknown, host: ArgumentsHost): void {
    super.catch(error, host);
  }
}

class Wrapping implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((data: unknown) => ({ data })));
  }
}

@ApiTags('Samples')
@Controller('v1/samples')
class SamplesController {
  @Get('value/:name')
  value(@Param('name') name: string): unknown {
    return {
      object: { sku: 5, at: new Date(0), id: EXACT, lines: [{ id: EXACT }] },
      bigint: EXACT,
      undefined: undefined,
      observable: of('first', { last: EXACT }),
      buffer: Buffer.from('a'),
    }[name];
  }

  @Sse('events')
  events(): Observable<MessageEvent> {
    return of({ data: stringifyExactJson({ id: EXACT }) }, { data: 'text' }, { data: { id: 1 } });
  }

  @Get('old')
  @Redirect('/v1/samples/value/object', 301)
  old(): void {
    // This handler only redirects.
  }

  @Put('nothing')
  @HttpCode(204)
  nothing(): void {
    // The response has no content.
  }

  @Get('csv')
  @Header('Content-Type', 'text/csv')
  @Header('Cache-Control', 'public, max-age=60')
  csv(): string {
    return 'id,name\n1,Rex\n';
  }

  @Get('by-hand')
  byHand(@Res() response: ExpressResponse): void {
    response.json({ id: EXACT });
  }

  @Post('echo')
  @ApiConsumes('text/plain')
  echo(@Req() request: Request, @Res() response: ExpressResponse): void {
    request.pipe(response);
  }

  @Get('own-filter')
  @UseFilters(FilterByHand)
  ownFilter(): never {
    throw new Error('for the filter');
  }

  @Get('nest-filter/:status')
  @UseFilters(FilterOfNest)
  nestFilter(@Param('status') status: string): never {
    throw new HttpException({ message: ['a', 'b'] }, Number(status));
  }

  @Get('passed-on/:name')
  @UseFilters(FilterOfModule)
  passedOn(@Param('name') name: string): never {
    if (name === 'stock') throw new OutOfStockError('There is one left');
    throw new Error('A secret');
  }

  @Get('wrapped')
  @UseInterceptors(Wrapping, UnpackedResponse)
  wrapped(): HttpResponse {
    return HttpResponse.of({ id: EXACT }, 'X-Own', 'field');
  }

  @Get('error')
  @Header('Cache-Control', 'public, max-age=60')
  @ApiOperation({ summary: 'Fails' })
  @ApiOkResponse({ description: 'Never.' })
  @ApiErrors('not_found', 'conflict', 'out_of_stock')
  error(): never {
    throw new OutOfStockError('There is one left');
  }
}

@Public()
@Controller('public')
class PublicController {
  @Get()
  open(): string {
    return 'open';
  }
}

@Module({
  imports: [
    HttpModule.forFeature({
      errorCodes: [{ code: 'out_of_stock', kind: 'conflict', meaning: 'There are not enough of them.' }],
    }),
  ],
  controllers: [SamplesController, PublicController],
})
class SamplesModule {}

const STANDING = {
  'cache-control': 'private, no-cache',
  'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as string,
  'strict-transport-security': expect.stringContaining('max-age=') as string,
  vary: 'Authorization',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'mine',
};

function headersOf(answer: Response): Record<string, string> {
  return Object.fromEntries(answer.headers);
}

describe('what a handler of a module answers', () => {
  const app = useApp(createMigratedDatabase, WITH_METRICS, {
    features: [SamplesModule],
  });
  const ask = (path: string, init = {}) =>
    app.request(`/v1/samples/${path}`, { headers: { 'x-request-id': 'mine' }, ...init });

  test.each([
    ['object', '{"sku":5,"at":"1970-01-01T00:00:00.000Z","id":9007199254740993,"lines":[{"id":9007199254740993}]}'],
    ['bigint', '9007199254740993'],
    ['observable', '{"last":9007199254740993}'],
    ['buffer', '{"type":"Buffer","data":[97]}'],
  ])('is JSON with every digit: %s', async (name, text) => {
    const answer = await ask(`value/${name}`);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'application/json',
      text,
    ]);
  });

  test('may be nothing, with 200 or with 204', async () => {
    const answers = [await ask('value/undefined'), await ask('nothing', { method: 'PUT' })];
    expect(await Promise.all(answers.map(async (answer) => [answer.status, await answer.text()]))).toEqual([
      [200, ''],
      [204, ''],
    ]);
    expect(answers.map(({ headers }) => headers.get('content-type'))).toEqual([null, null]);
  });

  test('may be events, which are exact too', async () => {
    const answer = await ask('events');
    expect(headersOf(answer)).toMatchObject({
      ...STANDING,
      'content-type': 'text/event-stream',
      'cache-control': expect.stringContaining('no-store') as string,
    });
    expect((await answer.text()).match(/^data: .*$/gm)).toEqual([
      'data: {"id":9007199254740993}',
      'data: text',
      'data: {"id":1}',
    ]);
  });

  test('may be a redirect', async () => {
    const answer = await ask('old', { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([301, '/v1/samples/value/object']);
    expect(headersOf(answer)).toMatchObject({ ...STANDING, vary: 'Accept, Authorization' });
  });

  test('goes out as it is where it is a text with a type of its own, and its header fields count', async () => {
    const answer = await ask('csv');
    expect(headersOf(answer)).toMatchObject({
      ...STANDING,
      'content-type': 'text/csv; charset=utf-8',
      'cache-control': 'public, max-age=60',
      etag: expect.stringMatching(/^"[^"]+"$/) as string,
    });
    expect(await answer.text()).toBe('id,name\n1,Rex\n');
    const again = await ask('csv', { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test.each([
    ['by-hand', 200, '{"id":9007199254740993}', {}],
    ['own-filter', 418, '{"filtered":9007199254740993}', {}],
  ])('carries the standing fields and exact digits when it is written by hand: %s', async (path, status, text, own) => {
    const answer = await ask(path);
    expect([answer.status, await answer.text()]).toEqual([status, text]);
    expect(headersOf(answer)).toMatchObject({ ...STANDING, ...own });
  });

  test('has a strong ETag and 304 also when it is written by hand', async () => {
    const tag = (await ask('by-hand')).headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[^"]+"$/);
    // `fetch` would add a header field that asks for a response without a cache.
    const fields = [`Authorization: Bearer ${TEST_API_KEY}`, `If-None-Match: ${tag}`];
    const again = await rawExchange(app.port, requestBytes('GET', '/v1/samples/by-hand', fields), 'GET');
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  test('may be sent while the body is read', async () => {
    const body = 'x'.repeat(90_000);
    const answer = await ask('echo', { method: 'POST', body, headers: { 'content-type': 'text/plain' } });
    expect((await answer.text()).length).toBe(90_000);
  });

  test.each(['csv', 'by-hand'])('has the same header fields for HEAD, and no body: %s', async (path) => {
    const [get, head] = [await ask(path), await ask(path, { method: 'HEAD' })];
    const fields = ({ headers }: Response) =>
      [...headers].filter(([name]) => !/^(?:date|connection|keep-alive)$/.test(name));
    expect(fields(head)).toEqual(fields(get));
    expect(await head.text()).toBe('');
  });

  test('is as another interceptor of the route makes it, with the fields of the handler', async () => {
    const answer = await ask('wrapped');
    expect(await answer.text()).toBe('{"data":{"id":9007199254740993}}');
    expect(answer.headers.get('x-own')).toBe('field');
  });
});

describe('an error of a module', () => {
  const app = useApp(createMigratedDatabase, WITH_METRICS, { features: [SamplesModule] });
  const ask = (path: string) => app.request(`/v1/samples/${path}`);

  test.each([
    ['error', 'out_of_stock', 'There is one left', 409],
    ['nest-filter/409', 'conflict', 'a; b', 409],
    ['nest-filter/500', 'internal_error', DEFECT, 500],
    ['passed-on/stock', 'out_of_stock', 'There is one left', 409],
    ['passed-on/defect', 'internal_error', DEFECT, 500],
  ])('has the Error body: %s', async (path, code, message, status) => {
    const answer = await ask(path);
    expect(await readError(answer)).toEqual({ code, message, status });
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
  });

  test('counts in the metrics by the code that was sent', async () => {
    const labels = { code: 'out_of_stock', route: '/v1/samples/error' };
    const count = async () => (await Scrape.of(app.app)).value('animal_store_http_errors_total', labels) ?? 0;
    const before = await count();
    await (await ask('error')).text();
    expect((await count()) - before).toBe(1);
  });

  test('is in the document by its code, beside others of its status', async () => {
    const document = (await (await app.request('/openapi.json')).json()) as OpenApiDocument;
    const operation = document.paths['/samples/error']!['get']!;
    const { description } = document.components.schemas['Error']!.properties!['code']!;
    expect(description).toContain('- `out_of_stock` (409): There are not enough of them.');
    const conflict = describedResponse(document, operation, 409);
    expect(conflict.description).toMatch(/^The request conflicts .* There are not enough of them\.$/);
    expect(describedResponse(document, operation, 404).description).toMatch(/^Nothing exists at this address/);
  });

  test('that ApiErrors names and no module registers is refused at start', async () => {
    @Controller('v1/unheard')
    class UnheardController {
      @Get()
      @ApiErrors('unheard_of')
      get(): string {
        return 'never';
      }
    }
    @Module({ controllers: [UnheardController] })
    class UnheardModule {}
    const other = await createMigratedDatabase();
    await expect(startApp(other, {}, { features: [UnheardModule] })).rejects.toThrow(
      '@ApiErrors of getUnheard names "unheard_of", which no module registers',
    );
    await other.remove();
  });
});

describe.each<[string, (nest: NestExpressApplication) => unknown, (text: string) => string]>([
  ['a map()', (nest) => nest.useGlobalInterceptors(new Wrapping()), (text) => `{"data":${text}}`],
  [
    'a ClassSerializerInterceptor',
    (nest) => nest.useGlobalInterceptors(new ClassSerializerInterceptor(nest.get(Reflector))),
    (text) => text,
  ],
])('the catalogue behind %s for all routes', (_name, configure, expected) => {
  const app = useApp(createMigratedDatabase, {}, { configure });

  test('answers every digit, in the form that the interceptor gives, with its header fields', async () => {
    const created = await app.createPet({ name: 'Rex', categoryId: 7 });
    await app.createPet({ name: 'Tom', categoryId: 7 });
    const rex = '{"id":1,"name":"Rex","categoryId":7,"status":"available"}';
    expect([created.status, created.headers.get('location'), await created.text()]).toEqual([
      201,
      '/v1/pets/1',
      expected(rex),
    ]);
    const page = await app.request('/v1/pets?limit=1');
    expect(await page.text()).toBe(expected(`[${rex}]`));
    expect(page.headers.get('link')).toMatch(/^<\/v1\/pets\?limit=1&cursor=[^>]+>; rel="next"$/);
    const tag = page.headers.get('etag') ?? '';
    expect((await app.request('/v1/pets?limit=1', { headers: { 'if-none-match': tag } })).status).toBe(304);
    const pet = await app.request('/v1/pets/1');
    expect(await pet.text()).toBe(expected(rex));
    expect([pet.headers.get('content-type'), pet.headers.get('deprecation')]).toEqual([
      'application/json',
      expect.stringMatching(/^@\d+$/),
    ]);
  });
});

describe('every error code', () => {
  const app = useApp(createMigratedDatabase);

  test('that a class of errors has is registered', () => {
    const root = join(import.meta.dirname, '../../..');
    const codes = ['apps', 'libs']
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, String(file))),
      )
      .filter((file) => file.endsWith('.ts') && !file.endsWith('spec.ts'))
      .flatMap((file) =>
        [...readFileSync(join(root, file), 'utf8').matchAll(/\bcode = '([^']+)';/g)].map(([, code]) => code!),
      );
    const registered = app.app.get(ErrorCodes, { strict: false });
    expect(codes.length).toBeGreaterThan(5);
    expect(codes.filter((code) => registered.find(code) === undefined)).toEqual([]);
  });
});
