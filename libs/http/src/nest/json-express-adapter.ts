import { IncomingMessage, ServerResponse, type Server } from 'node:http';
import { RequestMethod, StreamableFile } from '@nestjs/common';
import type { CorsOptions, CorsOptionsDelegate } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Request, type Response } from 'express';
import { BODY_LIMITS_SETTING, createBodyLimits } from '../bodies/body-limits.js';
import { DEFAULT_SERVER_LIMITS, type ServerLimits } from '../connections/connection-limits.js';
import { pipeline, type ServedPipeline } from '../connections/request-admission.js';
import { RequestTracker, startedAt } from '../connections/request-tracker.js';
import { ErrorResponse } from '../errors/error-response.js';
import { exactReplacer } from '../json/exact-json.js';
import { prefixRecorder } from '../requests/forwarded-prefix.js';
import {
  openContext,
  requestContext,
  type RequestContext,
  type RequestContextOptions,
} from '../requests/request-context.js';
import { prepareTarget } from '../requests/request-target.js';
import { entityTag } from '../responses/http-response.js';
import {
  addCommonHeaders,
  isComplete,
  ResponseBatch,
  responseBatch,
  RETRY_LATER,
  writeError,
  writeResult,
} from '../responses/response-writer.js';
import { withRoutes } from '../routes/cors.js';
import { type RouteHandler, RouteTable } from '../routes/route-table.js';
import { createQueryParser } from '../validation/query-cache.js';
import { createLimitedServer, type MessageClasses } from '../server/limited-server.js';

export interface ExpressOptions {
  /** The largest body in bytes. */
  readonly bodyLimit: number;
  /** The limit in bytes of all bodies that are being read together. */
  readonly bodiesLimit: number;
  /** Express's setting `trust proxy`, if there are proxies. */
  readonly trustProxy?: boolean | number | string | readonly string[] | undefined;
}

/** Creates an Express with the settings that it needs before its first route. */
export function createExpress({ bodyLimit, bodiesLimit, trustProxy }: ExpressOptions): Express {
  const server = express();
  // One address has one spelling.
  server.enable('case sensitive routing');
  server.enable('strict routing');
  server.disable('x-powered-by');
  server.set('query parser', createQueryParser());
  server.set(BODY_LIMITS_SETTING, createBodyLimits(bodyLimit, bodiesLimit));
  if (trustProxy !== undefined) server.set('trust proxy', trustProxy);
  return server;
}

/** The number of connections that may wait to be accepted, up to the limit of the system (`net.core.somaxconn`). */
const LARGEST_BACKLOG = 65_535;

/** The methods with which Nest registers routes. */
const REGISTRATIONS = Object.keys(RequestMethod)
  .filter((name) => Number.isNaN(Number(name)))
  .map((name) => name.toLowerCase());

type Register = (path: string, handler: RouteHandler) => unknown;

const OVERLOADED = ErrorResponse.of('service_unavailable', 'The service is overloaded at the moment: try again later');

/** Express for Nest, behind a server with limits. Responses follow the contract: exact integers, a strong `ETag`, 304. */
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

  /** Makes Node's server. It passes every request with a valid address to Express, in the context of the request. */
  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    const { requestTracker, routes } = this;
    const batch = new ResponseBatch();
    const recordPrefix = prefixRecorder(app);
    const serve = (request: IncomingMessage, response: ServerResponse & { [responseBatch]?: ResponseBatch }) => {
      response[responseBatch] = batch;
      recordPrefix?.(request, response);
      // Node drops the bytes after such a request.
      if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
      const fault = prepareTarget(request);
      if (fault === undefined) {
        // Called if no route responds. The fallback routes take every request, so it cannot happen.
        app(request as Request, response as Response, () => {
          writeError(request, response, ErrorResponse.failure());
        });
      } else {
        writeError(request, response, ErrorResponse.of('invalid_request', fault));
      }
    };
    this.httpServer = createLimitedServer({
      requestTracker,
      limits: { ...DEFAULT_SERVER_LIMITS, ...this.limits },
      messages: messageClasses(app),
      get methods() {
        return routes.methods;
      },
      serve: (request, response) => {
        requestContext.run(this.openContext(request), serve, request, response);
      },
      refuse: (request, response) => {
        this.openContext(request);
        response.shouldKeepAlive = false;
        writeError(request, response, OVERLOADED, RETRY_LATER);
      },
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
   * Called by Nest with the result of a handler, after all interceptors.
   *
   * @param ownStatus the status of a web `Response` that the handler returned
   */
  override reply(response: Response, result: unknown, ownStatus?: number): void {
    const status = ownStatus ?? response.statusCode;
    if (result instanceof StreamableFile) this.replyWithFile(response, result, status);
    else writeResult(response, result, status);
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

/**
 * Classes for Node's server whose objects are created with the prototypes that Express gives to every request and
 * response (Express, "Overriding the Express API": `app.request`, `app.response`), so that Express does not change
 * them. If Express changes the prototype of an object in use, V8 discards its optimizations for the object: a fifth of
 * the time of a request.
 */
function messageClasses(express: Express): MessageClasses {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    // Declared so that all responses have one hidden class in V8: 2 % of the time of a page.
    [startedAt]: number | undefined = undefined;
    [responseBatch]: ResponseBatch | undefined = undefined;
    [pipeline]: ServedPipeline = undefined;
    [isComplete] = false;
  }
  // Express's own prototypes inherit from Node's.
  Object.setPrototypeOf(ExpressRequest.prototype, express.request);
  Object.setPrototypeOf(ExpressResponse.prototype, express.response);
  Object.assign(express, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
