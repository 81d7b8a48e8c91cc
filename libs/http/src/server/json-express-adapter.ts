import type { IncomingMessage, Server } from 'node:http';
import { RequestMethod, StreamableFile } from '@nestjs/common';
import type { CorsOptions, CorsOptionsDelegate } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { ErrorResponse } from '../errors/error.response.js';
import { HttpResponse, NO_FIELDS, entityTag, matchesEntityTag } from '../responses/http-response.js';
import { RequestTracker } from '../connections/request-tracker.js';
import { openContext, type RequestContext, type RequestContextOptions } from '../requests/request-context.js';
import { DEFAULT_SERVER_LIMITS, type ServerLimits } from '../connections/connection-limits.js';
import { addCommonHeaders, writeError, writeResponse } from '../responses/response-writer.js';
import { withRoutes } from '../routes/cors.js';
import { createExpressServer } from './express-server.js';
import { type RouteHandler, RouteTable } from '../routes/route-table.js';
import { exactReplacer } from '../json/exact-json.js';

/** The number of connections that may wait to be accepted, up to the limit of the system (`net.core.somaxconn`). */
const LARGEST_BACKLOG = 65_535;

/** The methods with which Nest registers routes. */
const REGISTRATIONS = Object.keys(RequestMethod)
  .filter((name) => Number.isNaN(Number(name)))
  .map((name) => name.toLowerCase());

type Register = (path: string, handler: RouteHandler) => unknown;

/** Express for Nest. Responses follow the contract: exact integers, a strong `ETag`, 304. */
export class JsonExpressAdapter extends ExpressAdapter {
  readonly requestTracker = new RequestTracker();
  readonly routes = new RouteTable();
  private readonly preparations: (() => void)[] = [];

  constructor(
    express: Express,
    private readonly limits: Partial<ServerLimits> = {},
    private readonly context: RequestContextOptions = {},
  ) {
    super(express);
    this.recordRoutes();
    addCommonHeaders(express.response);
    // Responses that Express writes have the same exact numbers and tags.
    express.set('json replacer', exactReplacer);
    express.set('etag', (body: string | Buffer) => entityTag(body));
  }

  /**
   * Registers work of this library that must run when the application is configured and Nest is about to resolve its
   * routes.
   */
  beforeRoutes(run: () => void): void {
    this.preparations.push(run);
  }

  /** Called by Nest when the application is initialised. */
  override async init(): Promise<void> {
    await super.init();
    for (const prepare of this.preparations.splice(0)) prepare();
  }

  /** Adds every registered route to the table of routes. */
  private recordRoutes(): void {
    const adapter = this as unknown as Record<string, Register>;
    for (const method of REGISTRATIONS) {
      const register = adapter[method]?.bind(this);
      adapter[method] = (path, handler) => register?.(path, this.routes.add(method, path, handler));
    }
  }

  override initHttpServer(): void {
    this.httpServer = createExpressServer(this.getInstance(), {
      requestTracker: this.requestTracker,
      routes: this.routes,
      limits: { ...DEFAULT_SERVER_LIMITS, ...this.limits },
      context: this.context,
    });
  }

  /** Adds the methods of the routes to options that do not set them. */
  override enableCors(options: CorsOptions | CorsOptionsDelegate<Request> = {}): void {
    super.enableCors(withRoutes(this.routes, options));
  }

  /** Must be called with every request before its response is written. */
  openContext(request: IncomingMessage): RequestContext {
    return openContext(request, this.context);
  }

  /** A connection that finds the queue full retries after a second: the system limits the queue. */
  override listen(port: string | number, ...rest: unknown[]): Server {
    const [host, callback] = rest;
    if (typeof host !== 'string') return super.listen(port, ...(rest as [() => void]));
    return this.httpServer.listen({ port: Number(port), host, backlog: LARGEST_BACKLOG }, callback as () => void);
  }

  override getHttpServer(): Server {
    return this.httpServer;
  }

  /**
   * Called by Nest with the result of a handler, after all interceptors. The response is JSON, even for a string. If
   * the handler set a `Content-Type`, a string is sent unchanged.
   *
   * @param ownStatus the status of a web `Response` that the handler returned
   */
  override reply(response: Response, result: unknown, ownStatus?: number): void {
    const request: Request = response.req;
    const status = ownStatus ?? response.statusCode;
    if (result instanceof StreamableFile) {
      this.replyWithFile(response, result, status);
      return;
    }
    if (result === undefined || hasNoBody(status)) {
      writeResponse(request, response, status, NO_FIELDS);
      return;
    }
    const isTyped = response.hasHeader('Content-Type');
    const reply = responseOf(result, isTyped);
    const tag = response.getHeader('ETag');
    const fields = tag === undefined ? reply.fields : reply.ownFields;
    const ifNoneMatch = status === 200 ? request.headers['if-none-match'] : undefined;
    if (
      ifNoneMatch !== undefined &&
      isGetOrHead(request) &&
      matchesEntityTag(ifNoneMatch, tag === undefined ? reply.entityTag : String(tag).replace(/^W\//, ''))
    ) {
      if (isTyped) response.removeHeader('Content-Type');
      writeResponse(request, response, 304, fields);
    } else {
      writeResponse(request, response, status, fields, reply.body, reply.bytes, isTyped ? null : undefined);
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

function responseOf(result: unknown, isTyped: boolean): HttpResponse {
  if (result instanceof HttpResponse) return result;
  return isTyped && typeof result === 'string' ? HttpResponse.rendered(result) : HttpResponse.of(result);
}

/** If a file cannot be read, Nest's error handler sends a text. This sends the Error body instead. */
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

function isGetOrHead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}
