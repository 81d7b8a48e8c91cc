import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableFile } from '@nestjs/common';
import type { CorsOptions, CorsOptionsDelegate } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Request, type Response } from 'express';
import { exactReplacer } from '../json/exact-json.js';
import { errorResponseOf } from '../responses/error.filter.js';
import { ErrorResponse } from '../errors/error-response.js';
import { entityTag, HttpResponse } from '../responses/http-response.js';
import { ModuleHeaders } from '../responses/module-headers.js';
import { messageClasses } from '../responses/message-classes.js';
import { RETRY_LATER, writeError, writeResult } from '../responses/write-response.js';
import { completeCorsOptions } from '../routes/cors.js';
import { type RouteHandler, RouteTable } from '../routes/route-table.js';
import { Exchange, exchangeOf, type ExchangeResponse } from '../requests/exchange.js';
import { createHttpServer, type HttpServer, type ServerLimits } from '../server/http-server.js';
import { createContext, requestContext } from '../requests/request-context.js';
import { prepareTarget } from '../requests/request-target.js';
import { RequestTracker } from '../connections/request-tracker.js';
import { createQueryParser } from '../validation/query-parser.js';

export interface HttpOptions extends ServerLimits {
  /** Express's setting `trust proxy`, if there are proxies. */
  readonly trustProxy?: boolean | number | string | readonly string[] | undefined;
  /** The prefix that a proxy removes from addresses, such as `/shop`: it is put before `Link` and `Location`. */
  readonly pathPrefix?: string | undefined;
  /** Whether a text is secret, such as an API key: it is then not used as the id of a request. */
  readonly isSecret?: (text: string) => boolean;
}

/** A handler as the methods of Nest's adapter declare it. */
type NestHandler = ExpressAdapter['get'] extends (path: string, handler: infer Handler) => unknown ? Handler : never;

/** A new connection goes to another instance, if there is one. */
const LATE = ErrorResponse.of(
  'service_unavailable',
  'This instance of the service is stopping: send the request again',
);

/** Express for Nest, behind a server with limits. Responses follow the contract: exact integers, a strong `ETag`, 304. */
export class JsonExpressAdapter extends ExpressAdapter {
  readonly requestTracker = new RequestTracker();
  readonly routes = new RouteTable();
  readonly moduleHeaders = new ModuleHeaders();
  /** Aborted when the server begins to stop. */
  readonly stopping = new AbortController();
  /** Whether every response ends its connection. */
  endsConnections = false;
  /** Whether every request gets 503. */
  refusesRequests = false;

  constructor(private readonly httpOptions: HttpOptions) {
    super(createExpress(httpOptions));
  }

  /** Makes Node's server. It passes every request with a valid address to Express, in the context of the request. */
  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    const { pathPrefix, isSecret = () => false } = this.httpOptions;
    const handle = (request: Request, response: Response) => {
      // Called back if no route responds. The fallback routes take every request, so it cannot happen.
      app(request, response, () => {
        writeError(response, ErrorResponse.failure());
      });
    };
    const serve = (request: IncomingMessage, response: ServerResponse) => {
      const context = createContext(request, isSecret);
      (response as ExchangeResponse).exchange = new Exchange(context);
      // Node drops the bytes after an upgrade.
      if (this.endsConnections || request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
      const fault = prepareTarget(request);
      if (this.refusesRequests) writeError(response, LATE, RETRY_LATER);
      else if (fault !== undefined) writeError(response, ErrorResponse.of('invalid_request', fault));
      else requestContext.run(context, handle, request as Request, response as Response);
    };
    const messages = messageClasses(app, pathPrefix, this.stopping.signal);
    this.httpServer = createHttpServer(messages, this.requestTracker, this.httpOptions, serve);
  }

  override getHttpServer(): HttpServer {
    return this.httpServer as HttpServer;
  }

  /**
   * Called by Nest with the result of a handler, after all interceptors.
   *
   * @param ownStatus the status of a web `Response` that the handler returned, or of an error
   */
  override reply(response: Response, result: unknown, ownStatus?: number): void {
    const status = ownStatus ?? response.statusCode;
    if (result instanceof StreamableFile) {
      exchangeOf(response).sendsFile = true;
      super.reply(response, result, status);
    } else if (status >= 400 && !(result instanceof HttpResponse)) {
      writeError(response, errorResponseOf(result, status));
    } else {
      writeResult(response, result, status);
    }
  }

  /** Adds the methods of the routes, and the header fields of responses, to options that do not set them. */
  override enableCors(options: CorsOptions | CorsOptionsDelegate<Request> = {}): void {
    super.enableCors(completeCorsOptions(options, this.routes, this.moduleHeaders));
  }

  // The methods with which Nest and Swagger register routes: each adds the route to the table of routes.

  override get(...args: unknown[]): unknown {
    return super.get(...this.recorded('get', args));
  }

  override post(...args: unknown[]): unknown {
    return super.post(...this.recorded('post', args));
  }

  override put(...args: unknown[]): unknown {
    return super.put(...this.recorded('put', args));
  }

  override patch(...args: unknown[]): unknown {
    return super.patch(...this.recorded('patch', args));
  }

  override delete(...args: unknown[]): unknown {
    return super.delete(...this.recorded('delete', args));
  }

  override head(...args: unknown[]): unknown {
    return super.head(...this.recorded('head', args));
  }

  override options(...args: unknown[]): unknown {
    return super.options(...this.recorded('options', args));
  }

  override query(...args: unknown[]): unknown {
    return super.query(...this.recorded('query', args));
  }

  override all(...args: unknown[]): unknown {
    return super.all(...this.recorded('all', args));
  }

  private recorded(method: string, args: readonly unknown[]): [string, NestHandler] {
    const [path, handler] = args as [string, RouteHandler];
    return [path, this.routes.add(method, path, handler) as NestHandler];
  }
}

/** Creates an Express with the settings that it needs before its first route. */
function createExpress({ trustProxy }: HttpOptions): Express {
  const app = express();
  // One address has one spelling.
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.disable('x-powered-by');
  app.set('query parser', createQueryParser());
  // Responses that handlers write by Express's own methods have the same exact numbers and tags.
  app.set('json replacer', exactReplacer);
  app.set('etag', (body: string | Buffer) => entityTag(body));
  if (trustProxy !== undefined) app.set('trust proxy', trustProxy);
  return app;
}
