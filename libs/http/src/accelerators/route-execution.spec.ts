import {
  BadRequestException,
  Body,
  Catch,
  Controller,
  createParamDecorator,
  Get,
  Header,
  Inject,
  Injectable,
  Logger,
  Module,
  Next,
  Param,
  Post,
  Query,
  Redirect,
  Req,
  Res,
  Scope,
  StreamableFile,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type ArgumentMetadata,
  type ArgumentsHost,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import { APP_GUARD, APP_PIPE, NestFactory, REQUEST } from '@nestjs/core';
import { isRejectedByPipes } from '@nestjs/core/router/rejected-by-pipes.js';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express, { type NextFunction, type Request, type Response } from 'express';
import { map, of, throwError, type Observable } from 'rxjs';
import { listen } from '../../../../test/support/listen.js';
import { HttpResponse } from '../responses/http-response.js';
import { JsonExpressAdapter } from '../nest/json-express-adapter.js';
import { accelerateRoutes } from './accelerate-routes.js';

/** What the routes did, in order. */
let trail: string[] = [];

const { jest } = import.meta;

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

  @Get('file')
  file(): StreamableFile {
    return new StreamableFile(Buffer.from('one,two'), { type: 'text/csv' });
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

  @Get('observable-error')
  observableError(): unknown {
    return throwError(() => new BadRequestException('told by an observable'));
  }

  @Get('filtered')
  @UseFilters(RouteFilter)
  filtered(): Promise<never> {
    return Promise.reject(new BadRequestException('for the filter'));
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

type Case = readonly [path: string, status: number, init: RequestInit];

/** Every path with the status of its response: whatever else is in the response must be what Nest makes of it. */
const CASES: readonly Case[] = [
  ...Object.keys(VERDICTS).map((verdict): Case => {
    const status = verdict === 'error' || verdict === 'rejection' ? 400 : verdict.includes('false') ? 403 : 200;
    return ['guarded', status, { headers: { 'x-verdict': verdict } }];
  }),
  ['refused', 403, {}],
  ['value', 200, {}],
  ['guarded', 200, {}],
  ['thenable', 200, {}],
  ['observable', 200, {}],
  ['promise-of-observable', 200, {}],
  ['nothing', 200, {}],
  ['answer', 200, {}],
  ['answer', 201, { method: 'POST' }],
  ['changed-status-of-data', 206, {}],
  ['unwritable', 500, {}],
  ['unwritable-data', 500, {}],
  ['chunks', 200, {}],
  ['file', 200, {}],
  ['throws', 400, {}],
  ['observable-error', 400, {}],
  ['filtered', 418, {}],
  ['parameters/7?q=text', 200, {}],
  ['metadata?q=text', 201, { method: 'POST' }],
  ['throwing-pipe?q=', 400, {}],
  ['rejecting-pipe', 400, {}],
  ['failing-decorator', 400, {}],
  ['intercepted', 200, {}],
  ['header', 200, {}],
  ['redirect', 307, {}],
  ['by-hand', 200, {}],
  ['passed-on', 400, {}],
  ['scoped', 200, {}],
];

interface Server {
  readonly app: NestExpressApplication;
  readonly origin: string;
}

let rejectedByPipes: boolean;
let handledAtOnce: boolean;
let warnings: string[];

beforeAll(() => {
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((message: unknown) => {
    warnings.push(String(message));
  });
});

afterAll(() => {
  jest.restoreAllMocks();
});

beforeEach(() => {
  warnings = [];
});

function create(): Promise<NestExpressApplication> {
  return NestFactory.create<NestExpressApplication>(Routing, new JsonExpressAdapter(express()), { logger: false });
}

async function start(app: NestExpressApplication): Promise<Server> {
  app.use((request: Request, response: Response, next: NextFunction) => {
    response.on('finish', () => (rejectedByPipes = isRejectedByPipes(request)));
    next();
    handledAtOnce = trail.includes('handler');
  });
  await app.init();
  return { app, origin: `http://127.0.0.1:${await listen(app.getHttpServer())}` };
}

/** All that a request brings about, which is the same in either way. */
async function outcomeOf({ origin }: Server, path: string, init?: RequestInit) {
  trail = [];
  const response = await fetch(`${origin}/${path}`, { redirect: 'manual', ...init });
  const { status, headers } = response;
  const body = await response.text();
  const fields = Object.fromEntries([...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)));
  return { status, body, fields, rejectedByPipes, trail };
}

describe('a route that is executed directly', () => {
  let byNest: Server;
  let direct: Server;

  beforeAll(async () => {
    byNest = await start(await create());
    const app = await create();
    await accelerateRoutes(app);
    direct = await start(app);
  });

  afterAll(() => Promise.all([byNest.app.close(), direct.app.close()]));

  test.each(CASES)('does what Nest does: %s is %i, %j', async (path, status, init) => {
    const outcome = await outcomeOf(direct, path, init);
    expect(outcome).toEqual(await outcomeOf(byNest, path, init));
    expect(outcome.status).toBe(status);
  });

  test('waits for nothing if no step returns a promise', async () => {
    await outcomeOf(byNest, 'value');
    expect(handledAtOnce).toBe(false);
    await outcomeOf(direct, 'value');
    expect(handledAtOnce).toBe(true);
  });
});

type Parts = Record<string, unknown>;

const FACTORY = 'routesResolver.routerExplorer.executionContextCreator';

/** Where the last name of a path is, in an application. */
function ownerOf(app: object, path: string): Parts {
  return path
    .split('.')
    .slice(0, -1)
    .reduce((from, key) => from[key] as Parts, app as Parts);
}

describe('a route is executed by Nest, and one warning tells it,', () => {
  let app: NestExpressApplication;

  beforeEach(async () => {
    app = await create();
  });

  afterEach(() => app.close());

  async function expectNest(reason: string): Promise<void> {
    expect((await outcomeOf(await start(app), 'value')).status).toBe(200);
    expect(handledAtOnce).toBe(false);
    expect(warnings).toEqual([expect.stringContaining(reason)]);
  }

  test.each(['routesResolver.routerExplorer', FACTORY, `${FACTORY}.create`])('if a release has no %s', async (path) => {
    const owner = ownerOf(app, path);
    const name = path.split('.').at(-1)!;
    const part = owner[name];
    owner[name] = undefined;
    await accelerateRoutes(app);
    owner[name] = part;
    await expectNest('is not what it was');
  });

  test.each(['argsLength', 'httpStatusCode'])('if the metadata of routes has no %s', async (name) => {
    const factory = ownerOf(app, `${FACTORY}.getMetadata`) as { getMetadata: (...route: unknown[]) => Parts };
    const getMetadata = factory.getMetadata.bind(factory);
    let isOfNest = true;
    factory.getMetadata = (...route) => {
      const metadata = getMetadata(...route);
      // Nest asks first.
      const changed = isOfNest ? metadata : { ...metadata, [name]: undefined };
      isOfNest = !isOfNest;
      return changed;
    };
    await accelerateRoutes(app);
    await expectNest(`HandlerMetadata.${name}`);
  });
});
