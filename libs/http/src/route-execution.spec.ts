import {
  BadRequestException,
  Body,
  Catch,
  Controller,
  createParamDecorator,
  Get,
  Header,
  HttpCode,
  Inject,
  Injectable,
  Module,
  Next,
  Param,
  Post,
  Query,
  Redirect,
  Req,
  Res,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type ArgumentMetadata,
  type ArgumentsHost,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type INestApplication,
  type PipeTransform,
} from '@nestjs/common';
import { APP_GUARD, APP_PIPE, NestFactory, REQUEST } from '@nestjs/core';
import { isRejectedByPipes } from '@nestjs/core/router/rejected-by-pipes.js';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express, { type NextFunction, type Request, type Response } from 'express';
import { map, of, throwError, type Observable } from 'rxjs';
import { listen } from '../../../test/support/listen.js';
import { HttpResponse } from './responses/http-response.js';
import { JsonExpressAdapter } from './server/json-express-adapter.js';
import { executeRoutesDirectly } from './accelerators/route-execution.js';
import { RequestValidationPipe } from './validation/request-validation.pipe.js';

/** What the routes did, in order. */
let trail: string[] = [];

const VERDICTS: Record<string, () => unknown> = {
  true: () => true,
  false: () => false,
  'promise of true': () => Promise.resolve(true),
  'promise of false': () => Promise.resolve(false),
  'observable of true': () => of(true),
  'observable of false': () => of(false),
  'promise of an observable of true': () => Promise.resolve(of(true)),
  error: () => {
    throw new BadRequestException('thrown by a guard');
  },
  rejection: () => Promise.reject(new BadRequestException('rejected by a guard')),
};

class VerdictGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    trail.push('guard of the application');
    const request = context.switchToHttp().getRequest<Request>();
    const verdict = VERDICTS[request.headers['x-verdict'] as string];
    return (verdict?.() ?? true) as boolean;
  }
}

class RouteGuard implements CanActivate {
  canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const [request, response, next] = context.getArgs<[Request, Response, unknown]>();
    const same = http.getRequest() === request && http.getResponse() === response && http.getNext() === next;
    trail.push(`guard of ${context.getClass().name}.${context.getHandler().name}, ${context.getType()}, ${same}`);
    return Promise.resolve(true);
  }
}

class RefusingGuard implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

class GlobalPipe implements PipeTransform {
  transform(value: unknown, { type, data, metatype }: ArgumentMetadata): unknown {
    trail.push(`pipe of the application: ${type} ${String(data)} ${metatype?.name ?? 'nothing'}`);
    return value;
  }
}

class Extending extends RequestValidationPipe {
  override transform(value: unknown, metadata: ArgumentMetadata): unknown {
    return `${String(super.transform(value, metadata))}, extended`;
  }
}

class Appending implements PipeTransform {
  constructor(private readonly text: string) {}

  transform(value: unknown): string {
    return `${String(value)}${this.text}`;
  }
}

class AppendingLater implements PipeTransform {
  transform(value: unknown): Promise<string> {
    return Promise.resolve(`${String(value)} later`);
  }
}

class Throwing implements PipeTransform {
  transform(): never {
    throw new BadRequestException('thrown by a pipe');
  }
}

class Rejecting implements PipeTransform {
  transform(): Promise<never> {
    return Promise.reject(new BadRequestException('rejected by a pipe'));
  }
}

const Custom = createParamDecorator((value: unknown, context: ExecutionContext) => {
  trail.push(`decorator in ${context.getHandler().name}`);
  return typeof value === 'function' ? (value as () => unknown)() : value;
});

const Failing = createParamDecorator(() => {
  throw new BadRequestException('thrown by a decorator');
});

@Catch(BadRequestException)
class RouteFilter implements ExceptionFilter {
  catch(error: BadRequestException, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(418).json({ filtered: error.message });
  }
}

@Injectable()
class Doubling {
  intercept(_: ExecutionContext, next: { handle: () => Observable<unknown> }): Observable<unknown> {
    return next.handle().pipe(map((value) => [value, value]));
  }
}

@Controller()
class Routes {
  private readonly name = 'the controller';

  @Get('value')
  value(): unknown {
    trail.push('handler');
    return { of: this.name };
  }

  @Get('promise')
  promise(): Promise<unknown> {
    return Promise.resolve({ of: this.name });
  }

  @Get('thenable')
  thenable(): unknown {
    return {
      then: (resolve: (value: unknown) => void) => {
        trail.push('then');
        resolve({ of: 'a thenable' });
      },
    };
  }

  @Get('observable')
  observable(): unknown {
    return of('first', 'last');
  }

  @Get('promise-of-observable')
  promiseOfObservable(): unknown {
    return Promise.resolve(of('only'));
  }

  @Get('nothing')
  nothing(): void {
    trail.push('handler');
  }

  @Get('answer')
  answer(): HttpResponse {
    return HttpResponse.of({ id: 1n }, 'X-Own', 'field');
  }

  @Post('answer')
  answerLater(): Promise<HttpResponse> {
    return Promise.resolve(HttpResponse.of({ id: 2n }));
  }

  @Get('accepted')
  @HttpCode(202)
  accepted(): HttpResponse {
    return HttpResponse.of('accepted');
  }

  @Get('changed-status')
  changedStatus(@Res({ passthrough: true }) response: Response): HttpResponse {
    response.status(206);
    return HttpResponse.of('part');
  }

  @Get('unwritable')
  unwritable(): HttpResponse {
    return HttpResponse.of('never sent', 'X-Own', 'line\nbreak');
  }

  @Get('changed-status-of-data')
  changedStatusOfData(@Res({ passthrough: true }) response: Response): unknown {
    response.status(206);
    return ['part', 1n];
  }

  @Get('unwritable-data')
  unwritableData(): unknown {
    const data: Record<string, unknown> = {};
    data['itself'] = data;
    return data;
  }

  @Get('chunks')
  chunks(): unknown {
    return {
      async *[Symbol.asyncIterator]() {
        yield await Promise.resolve('one ');
        yield 'two';
      },
    };
  }

  @Get('throws')
  throws(): never {
    throw new BadRequestException('thrown by a handler');
  }

  @Get('rejects')
  rejects(): Promise<never> {
    return Promise.reject(new BadRequestException('rejected by a handler'));
  }

  @Get('observable-error')
  observableError(): unknown {
    return throwError(() => new BadRequestException('told by an observable'));
  }

  @Get('filtered')
  @UseFilters(RouteFilter)
  filtered(): Promise<never> {
    return Promise.reject(new BadRequestException('for the filter'));
  }

  @Get('filtered-at-once')
  @UseFilters(RouteFilter)
  filteredAtOnce(): never {
    throw new BadRequestException('for the filter');
  }

  @Get('guarded')
  @UseGuards(RouteGuard)
  guarded(): string {
    trail.push('handler');
    return 'guarded';
  }

  @Get('refused')
  @UseGuards(RefusingGuard)
  refused(): string {
    trail.push('handler');
    return 'refused';
  }

  @Get('parameters/:id')
  @UsePipes(new Appending(' of the route'))
  parameters(
    @Query('q', new Appending(' own')) query: string,
    @Req() request: Request,
    @Param('id', AppendingLater, new Appending(' and on')) id: string,
    @Custom(() => Promise.resolve('custom')) custom: string,
  ): unknown {
    return [query, request.path, id, custom];
  }

  @Post('metadata')
  metadata(@Body() body: Date, @Query('q') query: number, @Custom('plain') custom: string): unknown {
    return [String(body), query, custom];
  }

  @Get('validated')
  validated(@Query('number', RequestValidationPipe) number: number, @Query('other', Extending) other: number): unknown {
    return [number, other];
  }

  @Get('throwing-pipe')
  throwingPipe(@Query('q', Throwing) query: string, @Custom('extracted all the same') custom: string): unknown {
    trail.push('handler');
    return [query, custom];
  }

  @Get('rejecting-pipe')
  rejectingPipe(@Custom('text', Rejecting) custom: string): unknown {
    trail.push('handler');
    return custom;
  }

  @Get('failing-decorator')
  failingDecorator(@Failing() value: string, @Query('q', Rejecting) query: string): unknown {
    trail.push('handler');
    return [value, query];
  }

  @Get('intercepted')
  @UseInterceptors(Doubling)
  intercepted(): Promise<string> {
    return Promise.resolve('value');
  }

  @Get('header')
  @Header('X-Fixed', 'yes')
  header(): string {
    return 'with a header';
  }

  @Get('redirect')
  @Redirect('/value', 307)
  redirect(): HttpResponse {
    return HttpResponse.of('not sent');
  }

  @Get('by-hand')
  byHand(@Res() response: Response): HttpResponse {
    setImmediate(() => response.json('by hand'));
    return HttpResponse.of('not sent');
  }

  @Get('passed-on')
  passedOn(@Next() next: NextFunction): void {
    next(new BadRequestException('passed on'));
  }
}

@Controller({ path: 'scoped', scope: Scope.REQUEST })
class ScopedRoutes {
  constructor(@Inject(REQUEST) private readonly request: Request) {}

  @Get()
  path(): HttpResponse {
    return HttpResponse.of(this.request.path);
  }
}

@Module({
  controllers: [Routes, ScopedRoutes],
  providers: [
    { provide: APP_GUARD, useClass: VerdictGuard },
    { provide: APP_PIPE, useClass: GlobalPipe },
  ],
})
class Routing {}

describe.each([
  ['by Nest', () => undefined],
  ['directly', executeRoutesDirectly],
])('a route that is executed %s', (_, execute: (app: INestApplication) => void) => {
  let app: NestExpressApplication;
  let origin: string;
  let rejectedByPipes: boolean;
  let handledAtOnce: boolean;

  beforeAll(async () => {
    app = await NestFactory.create<NestExpressApplication>(Routing, new JsonExpressAdapter(express()), {
      logger: false,
    });
    app.use((request: Request, response: Response, next: NextFunction) => {
      response.on('finish', () => (rejectedByPipes = isRejectedByPipes(request)));
      next();
      handledAtOnce = trail.includes('handler');
    });
    execute(app);
    await app.init();
    origin = `http://127.0.0.1:${await listen(app.getHttpServer())}`;
  });

  afterAll(() => app.close());

  beforeEach(() => {
    trail = [];
  });

  async function ask(path: string, init?: RequestInit): Promise<[number, unknown]> {
    const response = await fetch(`${origin}/${path}`, { redirect: 'manual', ...init });
    const text = await response.text();
    return [response.status, text.startsWith('{') || /^["[\d]/.test(text) ? (JSON.parse(text) as unknown) : text];
  }

  const failure = (status: number, message: string, code: string) => [status, { code, message, status }];

  test.each(['true', 'promise of true', 'observable of true', 'promise of an observable of true'])(
    'is entered when a guard says %s',
    async (verdict) => {
      expect(await ask('value', { headers: { 'x-verdict': verdict } })).toEqual([200, { of: 'the controller' }]);
      expect(trail).toEqual(['guard of the application', 'handler']);
    },
  );

  test.each(['false', 'promise of false', 'observable of false'])('is closed when a guard says %s', async (verdict) => {
    expect(await ask('value', { headers: { 'x-verdict': verdict } })).toEqual(
      failure(403, 'Forbidden resource', 'forbidden'),
    );
    expect(trail).toEqual(['guard of the application']);
  });

  test.each([
    ['error', 'thrown by a guard'],
    ['rejection', 'rejected by a guard'],
  ])('answers the %s of a guard', async (verdict, message) => {
    expect(await ask('value', { headers: { 'x-verdict': verdict } })).toEqual(failure(400, message, 'invalid_request'));
    expect(trail).toEqual(['guard of the application']);
  });

  test('asks its own guards after those of the application, and tells them what they guard', async () => {
    expect(await ask('guarded')).toEqual([200, 'guarded']);
    expect(trail).toEqual(['guard of the application', 'guard of Routes.guarded, http, true', 'handler']);
  });

  test.each(['promise of true', 'observable of true'])(
    'asks the next guard as well when one before it says %s',
    async (verdict) => {
      expect(await ask('refused', { headers: { 'x-verdict': verdict } })).toEqual(
        failure(403, 'Forbidden resource', 'forbidden'),
      );
      expect(trail).toEqual(['guard of the application']);
    },
  );

  test('does not ask its own guards where one of the application refuses', async () => {
    await ask('guarded', { headers: { 'x-verdict': 'false' } });
    expect(trail).toEqual(['guard of the application']);
  });

  test('sends every parameter through the pipes of the application, the route and its own, in this order', async () => {
    expect(await ask('parameters/7?q=text')).toEqual([
      200,
      ['text of the route own', '/parameters/7', '7 of the route later and on', 'custom of the route'],
    ]);
  });

  test('has the status that its handler set beside the data', async () => {
    expect(await ask('changed-status-of-data')).toEqual([206, ['part', 1]]);
  });

  test('fails where data can be no JSON', async () => {
    expect((await ask('unwritable-data'))[0]).toBe(500);
  });

  test('sends what comes in chunks, also of a plain object', async () => {
    expect(await ask('chunks')).toEqual([200, 'one two']);
  });

  test('tells pipes what they transform', async () => {
    expect(await ask('metadata?q=text', { method: 'POST' })).toEqual([201, ['undefined', 'text', 'plain']]);
    expect(trail.slice(1).sort()).toEqual([
      'decorator in metadata',
      'pipe of the application: body undefined Date',
      'pipe of the application: custom plain String',
      'pipe of the application: query q Number',
    ]);
  });

  test('passes what is validated, also through a pipe that extends the one of the base', async () => {
    expect(await ask('validated?number=5&other=5')).toEqual([200, [5, '5, extended']]);
  });

  test.each([
    ['throwing-pipe?q=', 'thrown by a pipe'],
    ['rejecting-pipe', 'rejected by a pipe'],
    ['failing-decorator', 'thrown by a decorator'],
  ])('is not entered where a parameter is refused: %s', async (path, message) => {
    expect(await ask(path)).toEqual(failure(400, message, 'invalid_request'));
    expect(trail).not.toContain('handler');
    expect(rejectedByPipes).toBe(true);
  });

  test('extracts every parameter, also after one that is refused', async () => {
    await ask('throwing-pipe?q=');
    expect(trail).toContain('decorator in throwingPipe');
  });

  test.each<[string, number, unknown]>([
    ['value', 200, { of: 'the controller' }],
    ['promise', 200, { of: 'the controller' }],
    ['thenable', 200, { of: 'a thenable' }],
    ['observable', 200, 'last'],
    ['promise-of-observable', 200, 'only'],
    ['nothing', 200, ''],
    ['answer', 200, { id: 1 }],
    ['accepted', 202, 'accepted'],
    ['changed-status', 206, 'part'],
    ['scoped', 200, '/scoped'],
    ['intercepted', 200, ['value', 'value']],
    ['header', 200, 'with a header'],
    ['by-hand', 200, 'by hand'],
  ])('answers what its handler returns: %s', async (path, status, body) => {
    expect(await ask(path)).toEqual([status, body]);
    expect(rejectedByPipes).toBe(false);
  });

  test('waits for nothing where nothing has to be waited for', async () => {
    await ask('value');
    expect(handledAtOnce).toBe(execute === executeRoutesDirectly);
  });

  test('calls the then of a thenable once', async () => {
    await ask('thenable');
    expect(trail).toEqual(['guard of the application', 'then']);
  });

  test('answers 201 to a POST, with the promised body', async () => {
    expect(await ask('answer', { method: 'POST' })).toEqual([201, { id: 2 }]);
  });

  test('sends the header fields of an answer, and those that are fixed for the route', async () => {
    expect((await fetch(`${origin}/answer`)).headers.get('x-own')).toBe('field');
    expect((await fetch(`${origin}/header`)).headers.get('x-fixed')).toBe('yes');
  });

  test('redirects where it is told to', async () => {
    const response = await fetch(`${origin}/redirect`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([307, '/value']);
  });

  test.each([
    ['throws', 'thrown by a handler'],
    ['rejects', 'rejected by a handler'],
    ['observable-error', 'told by an observable'],
    ['passed-on', 'passed on'],
  ])('answers the error of its handler: %s', async (path, message) => {
    expect(await ask(path)).toEqual(failure(400, message, 'invalid_request'));
  });

  test('answers 500 where the answer cannot be written', async () => {
    expect(await ask('unwritable')).toEqual(failure(500, 'The service failed to handle the request', 'internal_error'));
  });

  test.each(['filtered', 'filtered-at-once'])('lets its own exception filter answer: %s', async (path) => {
    expect(await ask(path)).toEqual([418, { filtered: 'for the filter' }]);
  });
});
