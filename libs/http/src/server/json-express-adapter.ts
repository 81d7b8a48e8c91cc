import type { IncomingMessage, Server } from 'node:http';
import { HttpException, StreamableFile } from '@nestjs/common';
import type { CorsOptions, CorsOptionsDelegate } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { ErrorResponse } from '../errors/error.response.js';
import { HttpResponse, NO_FIELDS, type HeaderFields } from '../responses/http-response.js';
import { entityTag, matchesEntityTag } from '../responses/entity-tag.js';
import { RequestTracker } from '../connections/request-tracker.js';
import { openContext, type RequestContext, type RequestContextOptions } from '../requests/request-context.js';
import { DEFAULT_SERVER_LIMITS, type ServerLimits } from '../connections/server-limits.js';
import { writeResponse, writeError } from '../responses/write-response.js';
import { corsFields, withRoutes } from './cors.js';
import { createExpressServer } from './express-server.js';
import { type RouteHandler, RouteTable } from './route-table.js';
import { addCommonHeaders } from '../responses/write-head.js';
import { exactReplacer } from '../json/exact-json.js';
import { codeForStatus } from '../errors/error-codes.js';
import { httpFailureOf } from '../errors/http-failure.js';

/** How many connections may wait until they are accepted, as far as the system allows (`net.core.somaxconn`). */
const LARGEST_BACKLOG = 65_535;

/** What Nest registers routes with. */
const REGISTRATIONS = [
  ...['all', 'get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'search', 'query'],
  ...['propfind', 'proppatch', 'mkcol', 'copy', 'move', 'lock', 'unlock'],
];

type Register = (path: string, handler: RouteHandler) => unknown;

/** Express under Nest, with answers written as the contract wants them: exact integers, a strong `ETag`, 304. */
export class JsonExpressAdapter extends ExpressAdapter {
  readonly requestTracker = new RequestTracker();
  readonly routes: RouteTable;
  private readonly preparations: (() => void)[] = [];
  private cors: CorsOptions | undefined;

  constructor(
    express: Express,
    private readonly limits: ServerLimits = DEFAULT_SERVER_LIMITS,
    private readonly context: RequestContextOptions = {},
  ) {
    super(express);
    this.routes = new RouteTable(this.getRouteMatchingOptions());
    this.noteRoutes();
    addCommonHeaders(express.response);
    // What is sent by hand is as exact, and has the same tags.
    express.set('json replacer', exactReplacer);
    express.set('etag', (body: string | Buffer) => entityTag(body));
  }

  /** What a part of the base does once all is known of the application, and Nest is about to resolve its routes. */
  beforeRoutes(run: () => void): void {
    this.preparations.push(run);
  }

  /** Called by Nest when the application is initialised. */
  override async init(): Promise<void> {
    await super.init();
    for (const prepare of this.preparations.splice(0)) prepare();
  }

  /** Lets the table of routes know what is registered. */
  private noteRoutes(): void {
    const adapter = this as unknown as Record<string, Register>;
    for (const method of REGISTRATIONS) {
      const register = adapter[method]?.bind(this);
      adapter[method] = (path, handler) => register?.(path, this.routes.add(method, path, handler));
    }
  }

  override initHttpServer(): void {
    this.httpServer = createExpressServer(this.getInstance(), {
      requestTracker: this.requestTracker,
      limits: this.limits,
      context: this.context,
      corsFields: (origin) => this.corsFields(origin),
    });
  }

  /** With what follows from the routes, where the options are silent. */
  override enableCors(options: CorsOptions | CorsOptionsDelegate<Request> = {}): void {
    this.cors = typeof options === 'function' ? undefined : options;
    super.enableCors(withRoutes(this.routes, options));
  }

  /** What lets a page of this origin read an answer that Express knows nothing of. */
  corsFields(origin: string | undefined): HeaderFields {
    return this.cors === undefined ? NO_FIELDS : corsFields(this.cors, origin);
  }

  /** To be called with every request before it is answered. */
  openContext(request: IncomingMessage): RequestContext {
    return openContext(request, this.context);
  }

  /** Connections that find no room to wait until they are accepted try again a second later: the system bounds the room. */
  override listen(port: string | number, ...rest: unknown[]): Server {
    const [host, callback] = rest;
    if (typeof host !== 'string') return super.listen(port, ...(rest as [() => void]));
    return this.httpServer.listen({ port: Number(port), host, backlog: LARGEST_BACKLOG }, callback as () => void);
  }

  override getHttpServer(): Server {
    return this.httpServer;
  }

  /**
   * Called by Nest with what a handler returned, behind all interceptors: JSON, whatever it is, a text too. But a text whose
   * handler set a `Content-Type` goes out as it is.
   *
   * @param statusOfError given by filters that build on Nest's `BaseExceptionFilter`: `result` is what that makes of an error
   */
  override reply(response: Response, result: unknown, statusOfError?: number): void {
    const request: Request = response.req;
    const status = statusOfError ?? response.statusCode;
    if (result instanceof StreamableFile) {
      this.replyWithFile(response, result, status);
      return;
    }
    if (result === undefined || hasNoBody(status)) {
      writeResponse(request, response, status, NO_FIELDS);
      return;
    }
    if (statusOfError !== undefined && statusOfError >= 400) {
      writeError(request, response, errorOfNest(result, statusOfError));
      return;
    }
    const isTyped = response.hasHeader('Content-Type');
    const answer = answerOf(result, isTyped);
    const tag = response.getHeader('ETag');
    const fields = tag === undefined ? answer.fields : answer.ownFields;
    const ifNoneMatch = status === 200 ? request.headers['if-none-match'] : undefined;
    if (
      ifNoneMatch !== undefined &&
      isRead(request) &&
      matchesEntityTag(ifNoneMatch, tag === undefined ? answer.entityTag : String(tag).replace(/^W\//, ''))
    ) {
      if (isTyped) response.removeHeader('Content-Type');
      writeResponse(request, response, 304, fields);
    } else {
      writeResponse(request, response, status, fields, answer.body, answer.bytes, isTyped ? null : undefined);
    }
  }

  private replyWithFile(response: Response, file: StreamableFile, status: number): void {
    const handleError = file.errorHandler;
    file.setErrorHandler((error, raw) => {
      if (!response.headersSent) replaceDefaultFailure(response);
      handleError(error, raw);
    });
    super.reply(response, file, status);
  }
}

function answerOf(result: unknown, isTyped: boolean): HttpResponse {
  if (result instanceof HttpResponse) return result;
  return isTyped && typeof result === 'string' ? HttpResponse.rendered(result) : HttpResponse.of(result);
}

function errorOfNest(result: unknown, status: number): ErrorResponse {
  const failure =
    status === 500 ? undefined : httpFailureOf(new HttpException(result as Record<string, unknown>, status));
  return failure === undefined
    ? ErrorResponse.failure()
    : new ErrorResponse(codeForStatus(status), failure.message, status);
}

/** Where the handler of a file that can't be read sends what Nest has it send, the Error body is sent in its place. */
function replaceDefaultFailure(response: Response): void {
  const send = response.send.bind(response);
  response.send = (body?: unknown) => {
    response.send = send;
    if (response.statusCode !== 400 || body !== 'Bad Request') return send(body);
    writeError(response.req, response, ErrorResponse.failure());
    return response;
  };
}

function hasNoBody(status: number): boolean {
  return status === 204 || status === 304;
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}
