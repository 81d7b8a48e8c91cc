import type { IncomingMessage, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Request, type Response } from 'express';
import { exactReplacer } from './bodies/exact-json.js';
import { ErrorResponse } from './errors/error-response.js';
import { errorResponseOf } from './errors/error.filter.js';
import { RETRY_LATER, writeError, writeResponse } from './response-headers.js';
import { entityTag, HttpResponse } from './http-response.js';
import { requestContext, stateOf } from './request-context.js';
import { prepareTarget } from './request-target.js';
import { RouteTable } from './routes/route-table.js';
import { createHttpServer, type ServerOptions } from './server/http-server.js';
import { RequestTracker } from './server/request-tracker.js';
import { createQueryParser } from './validation/query-parser.js';

export interface HttpOptions extends ServerOptions {
  /** Express's setting `trust proxy`, if there are proxies. */
  readonly trustProxy?: boolean | number | string | readonly string[] | undefined;
  /** The prefix that a proxy removes from addresses, such as `/shop`: it is put before `Link` and `Location`. */
  readonly pathPrefix?: string | undefined;
}

/** A handler as the methods of Nest's adapter declare it. */
type NestHandler = ExpressAdapter['get'] extends (path: string, handler: infer Handler) => unknown ? Handler : never;

/** A new connection goes to another instance, if there is one. */
const STOPPING = ErrorResponse.of(
  'service_unavailable',
  'This instance of the service is stopping: send the request again',
);

/** Express for Nest, behind a server with limits. Responses follow the contract: exact integers, a strong `ETag`, 304. */
export class JsonExpressAdapter extends ExpressAdapter {
  readonly requestTracker = new RequestTracker();
  readonly pathPrefix: string;
  readonly routes = new RouteTable();
  /** Whether every response ends its connection. */
  endsConnections = false;
  /** Whether every request gets 503. */
  refusesRequests = false;

  constructor(private readonly httpOptions: HttpOptions) {
    super(createExpress(httpOptions));
    this.pathPrefix = httpOptions.pathPrefix ?? '';
  }

  /** Makes Node's server. It passes every request with a valid address to Express, in the context of the request. */
  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    const serve = (request: IncomingMessage, response: ServerResponse) => {
      if (this.endsConnections) response.shouldKeepAlive = false;
      const fault = prepareTarget(request);
      if (this.refusesRequests) writeError(response, STOPPING, RETRY_LATER);
      else if (fault !== undefined) writeError(response, ErrorResponse.of('invalid_request', fault));
      else
        requestContext.run(stateOf(response), () => {
          app(request as Request, response as Response);
        });
    };
    this.httpServer = createHttpServer(app, this.requestTracker, this.httpOptions, serve);
  }

  /**
   * Called by Nest with the result of a handler, after all interceptors. Everything but an {@link HttpResponse} and the
   * bodies of Nest's own error responses is sent as Nest sends it.
   */
  override reply(response: Response, result: unknown, ownStatus?: number): unknown {
    const status = ownStatus ?? response.statusCode;
    if (result instanceof HttpResponse) {
      this.send(response, result, status);
      return undefined;
    }
    if (status < 400) return super.reply(response, result, ownStatus);
    writeError(response, errorResponseOf(result, status));
    return undefined;
  }

  private send(response: Response, result: HttpResponse, status: number): void {
    const { body, contentLength, entityTag: tag, fields, location } = result;
    const own = ['ETag', tag, ...fields];
    if (location !== undefined) own.push('Location', this.pathPrefix + location);
    const { method, headers } = response.req;
    const { 'if-none-match': ifNoneMatch } = headers;
    const isRead = status === 200 && (method === 'GET' || method === 'HEAD');
    if (isRead && ifNoneMatch !== undefined && result.matches(ifNoneMatch)) writeResponse(response, 304, own);
    else writeResponse(response, status, own, body, contentLength);
  }

  // The methods with which Nest and Swagger register routes: each adds the route to the table of routes.

  override get(...args: unknown[]): unknown {
    return super.get(...this.registered('get', args));
  }

  override post(...args: unknown[]): unknown {
    return super.post(...this.registered('post', args));
  }

  override put(...args: unknown[]): unknown {
    return super.put(...this.registered('put', args));
  }

  override patch(...args: unknown[]): unknown {
    return super.patch(...this.registered('patch', args));
  }

  override delete(...args: unknown[]): unknown {
    return super.delete(...this.registered('delete', args));
  }

  override head(...args: unknown[]): unknown {
    return super.head(...this.registered('head', args));
  }

  override options(...args: unknown[]): unknown {
    return super.options(...this.registered('options', args));
  }

  override all(...args: unknown[]): unknown {
    return super.all(...this.registered('all', args));
  }

  private registered(method: string, args: readonly unknown[]): [string, NestHandler] {
    const [path, handler] = args as [string, NestHandler];
    this.routes.add(method, path, handler);
    return [path, handler];
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
  app.set('json replacer', exactReplacer);
  app.set('etag', entityTag);
  if (trustProxy !== undefined) app.set('trust proxy', trustProxy);
  return app;
}
