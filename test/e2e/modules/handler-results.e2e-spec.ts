import { Readable } from 'node:stream';
import { setInterval } from 'node:timers/promises';
import {
  Catch,
  ConflictException,
  Controller,
  Get,
  Header,
  HttpCode,
  Module,
  Param,
  Redirect,
  Res,
  Sse,
  StreamableFile,
  UseFilters,
  type ArgumentsHost,
  type ExceptionFilter,
  type MessageEvent,
} from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response as ExpressResponse } from 'express';
import { interval, map, of, type Observable } from 'rxjs';
import { ErrorFilter, HttpDrain, HttpModule, HttpResponse } from '@animal-store/http';
import { createMigratedDatabase } from '../../support/databases.js';
import { rawExchange, requestBytes } from '../../support/raw-http.js';
import { TEST_API_KEY, useApp } from '../../support/running-app.js';
import { Scrape, WITH_METRICS } from '../../support/scraped-metrics.js';

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
    super.catch(error === 'empty' ? new OutOfStockError('There is none left') : error, host);
  }
}

@Catch()
class FilterOfNest extends BaseExceptionFilter {}

@Controller({ path: 'results', version: '1' })
class ResultsController {
  constructor(private readonly drain: HttpDrain) {}

  @Get('value/:name')
  value(@Param('name') name: string): unknown {
    return {
      object: { at: new Date(0), id: EXACT, lines: [{ id: EXACT }] },
      observable: of('first', { last: EXACT }),
      response: HttpResponse.rendered('{"id":9007199254740993}', 'X-Own', 'field'),
      nothing: undefined,
    }[name];
  }

  @Get('nothing')
  @HttpCode(204)
  nothing(): void {
    // The response has no content.
  }

  @Get('old')
  @Redirect('/v1/results/value/object', 301)
  old(): void {
    // This handler only redirects.
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

  @Get('web')
  web(): Response {
    return new Response('web', { status: 202, headers: { 'x-own': 'field' } });
  }

  @Get('file')
  file(): StreamableFile {
    return new StreamableFile(Readable.from(['a', 'b']), { type: 'text/plain', disposition: 'attachment' });
  }

  @Sse('events')
  events(): Observable<MessageEvent> {
    return of({ data: 'text' }, { data: { id: 1 }, id: '7' });
  }

  @Sse('endless/events')
  endlessEvents(): Observable<MessageEvent> {
    return interval(20).pipe(map((count) => ({ data: String(count) })));
  }

  @Get('endless/rows')
  endlessRows(): StreamableFile {
    return new StreamableFile(Readable.from(this.untilStopped()));
  }

  private async *untilStopped(): AsyncGenerator<string> {
    for await (const row of setInterval(20, 'row\n')) {
      if (this.drain.hasBegun) return;
      yield row;
    }
  }
}

@Controller({ path: 'errors', version: '1' })
class ErrorsController {
  @Get('domain')
  @Header('Cache-Control', 'public, max-age=60')
  domain(): never {
    throw new OutOfStockError('There is one left');
  }

  @Get('by-hand')
  @UseFilters(FilterByHand)
  byHand(): never {
    throw new Error('for the filter');
  }

  @Get('extended')
  @UseFilters(FilterOfModule)
  extended(): never {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- a library may throw anything
    throw 'empty';
  }

  @Get('nest')
  @UseFilters(FilterOfNest)
  nest(): never {
    throw new ConflictException(['a', 'b']);
  }
}

@Module({
  imports: [
    HttpModule.forFeature({
      errorCodes: [{ code: 'out_of_stock', kind: 'conflict', meaning: 'There are not enough of them.' }],
    }),
  ],
  controllers: [ResultsController, ErrorsController],
})
class ResultsModule {}

/** A middleware that fails as those made with `http-errors` do. */
function configure(nest: NestExpressApplication): void {
  nest.use('/v1/errors/middleware', (_request: Request, _response: ExpressResponse, next: NextFunction) => {
    next(Object.assign(new Error('It costs a tea'), { status: 402, expose: true }));
  });
}

const COMMON = {
  'cache-control': 'private, no-cache',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  vary: 'Authorization',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'mine',
};

const app = useApp(createMigratedDatabase, {}, { features: [ResultsModule] });

function ask(path: string, init = {}): Promise<Response> {
  return app.request(`/v1/${path}`, { headers: { 'x-request-id': 'mine' }, ...init });
}

describe('the result of a handler', () => {
  const JSON_TYPE = { 'content-type': expect.stringMatching(/^application\/json/) as string };
  const CSV = { 'content-type': 'text/csv; charset=utf-8', 'cache-control': 'public, max-age=60' };
  const FILE = { 'content-type': 'text/plain', 'content-disposition': 'attachment' };
  const EVENTS = { 'content-type': 'text/event-stream', 'cache-control': expect.any(String) as string };

  test.each<[string, string, number, object, string]>([
    [
      'an object',
      'value/object',
      200,
      JSON_TYPE,
      '{"at":"1970-01-01T00:00:00.000Z","id":9007199254740993,"lines":[{"id":9007199254740993}]}',
    ],
    ['an observable', 'value/observable', 200, JSON_TYPE, '{"last":9007199254740993}'],
    ['an HttpResponse', 'value/response', 200, { ...JSON_TYPE, 'x-own': 'field' }, '{"id":9007199254740993}'],
    ['what @Res() is told', 'by-hand', 200, JSON_TYPE, '{"id":9007199254740993}'],
    ['nothing', 'value/nothing', 200, {}, ''],
    ['nothing, with 204', 'nothing', 204, {}, ''],
    [
      'a redirect',
      'old',
      301,
      { location: '/v1/results/value/object', vary: expect.stringContaining('Authorization') as string },
      'Moved Permanently. Redirecting to /v1/results/value/object',
    ],
    ['a text with header fields of its own, which count', 'csv', 200, CSV, 'id,name\n1,Rex\n'],
    ['a Response of the web', 'web', 202, { 'x-own': 'field' }, 'web'],
    ['a file', 'file', 200, FILE, 'ab'],
    ['events', 'events', 200, EVENTS, 'id: 1\ndata: text\n\nid: 7\ndata: {"id":1}\n\n'],
  ])('may be %s, with the header fields of every response', async (_what, path, status, fields, text) => {
    const answer = await ask(`results/${path}`, { redirect: 'manual' });
    expect(Object.fromEntries(answer.headers)).toMatchObject({ ...COMMON, ...fields });
    expect([answer.status, (await answer.text()).trimStart()]).toEqual([status, text]);
  });

  test.each(['csv', 'by-hand', 'value/object'])('has 304 and HEAD, however it is written: %s', async (path) => {
    const { headers } = await ask(`results/${path}`);
    // `fetch` would add a header field that asks for a response without a cache.
    const fields = [`Authorization: Bearer ${TEST_API_KEY}`, `If-None-Match: ${headers.get('etag') ?? ''}`];
    const again = await rawExchange(app.port, requestBytes('GET', `/v1/results/${path}`, fields), 'GET');
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const head = await ask(`results/${path}`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of ['content-length', 'content-type', 'cache-control', 'etag', 'vary'])
      expect(head.headers.get(name)).toBe(headers.get(name));
  });

  test('without an end of its own ends when the server begins to stop', async () => {
    const responses = await Promise.all(['events', 'rows'].map((name) => ask(`results/endless/${name}`)));
    const readers = responses.map(({ body }) => body!.getReader());
    for (const reader of readers) expect((await reader.read()).done).toBe(false);
    app.app.get(HttpDrain).begin();
    for (const reader of readers) while (!(await reader.read()).done);
  });
});

/** What becomes of each kind of error: `error.filter.spec.ts`. */
describe('what a handler or a middleware throws', () => {
  const served = useApp(createMigratedDatabase, WITH_METRICS, { features: [ResultsModule], configure });

  test.each([
    ['domain', 409, '{"code":"out_of_stock","message":"There is one left","status":409}'],
    ['extended', 409, '{"code":"out_of_stock","message":"There is none left","status":409}'],
    ['nest', 409, '{"code":"conflict","message":"a; b","status":409}'],
    ['middleware', 402, '{"code":"payment_required","message":"It costs a tea","status":402}'],
    // What a filter writes is left as it is.
    ['by-hand', 418, '{"filtered":9007199254740993}'],
  ])('becomes an Error body, unless a filter of the module writes another: %s', async (path, status, body) => {
    const answer = await served.request(`/v1/errors/${path}`, { headers: { 'x-request-id': 'mine' } });
    expect(Object.fromEntries(answer.headers)).toMatchObject(COMMON);
    expect([answer.status, await answer.text()]).toEqual([status, body]);
  });

  test('counts in the metrics by the code that the module registered', async () => {
    await (await served.request('/v1/errors/domain')).text();
    const labels = { code: 'out_of_stock', route: '/v1/errors/domain' };
    expect((await Scrape.of(served.app)).value('animal_store_http_errors_total', labels)).toBeGreaterThan(0);
  });
});
