import { IncomingMessage, ServerResponse, type Server } from 'node:http';
import express, { type Express, type Request, type Response } from 'express';
import { isComplete, RETRY_LATER, writeError } from '../responses/response-writer.js';
import { responseBatch, startedAt, type RequestTracker, type ResponseBatch } from '../connections/request-tracker.js';
import { pipeline, type ServedPipeline } from '../connections/request-admission.js';
import type { ServerLimits } from '../connections/connection-limits.js';
import { ErrorResponse } from '../errors/error.response.js';
import { BODY_LIMITS_SETTING, createBodyLimits } from '../bodies/body-limits.js';
import { createQueryParser } from '../validation/query-parser.js';
import { prefixRecorder } from '../requests/forwarded-prefix.js';
import { openContext, requestContext, type RequestContextOptions } from '../requests/request-context.js';
import { prepareTarget } from '../requests/request-target.js';
import { createLimitedServer, type MessageClasses } from './limited-server.js';
import type { RouteTable } from '../routes/route-table.js';

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

export interface ExpressServerOptions {
  readonly requestTracker: RequestTracker;
  readonly limits: ServerLimits;
  readonly routes: RouteTable;
  readonly context: RequestContextOptions;
}

/**
 * Node's server in front of Express. It passes on every request with a valid address, in its context.
 */
export function createExpressServer(
  express: Express,
  { requestTracker, limits, routes, context }: ExpressServerOptions,
): Server {
  const recordPrefix = prefixRecorder(express);
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    recordPrefix?.(request, response);
    // Node drops the bytes after such a request.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    const fault = prepareTarget(request);
    if (fault === undefined) {
      // Called if no route responds. The fallback routes take every request, so it cannot happen.
      express(request as Request, response as Response, () => {
        writeError(request, response, ErrorResponse.failure());
      });
    } else {
      writeError(request, response, ErrorResponse.of('invalid_request', fault));
    }
  };
  return createLimitedServer({
    requestTracker,
    limits,
    messages: messageClasses(express),
    get methods() {
      return routes.methods;
    },
    serve: (request, response) => {
      requestContext.run(openContext(request, context), serve, request, response);
    },
    refuse: (request, response) => {
      openContext(request, context);
      refuseOverloaded(request, response);
    },
  });
}

const OVERLOADED = ErrorResponse.of('service_unavailable', 'The service is overloaded at the moment: try again later');

function refuseOverloaded(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  writeError(request, response, OVERLOADED, RETRY_LATER);
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
