import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import type { Express, Request, Response } from 'express';
import type { HeaderFields } from '../responses/http-response.js';
import { isComplete, setAll } from '../responses/write-head.js';
import { RETRY_LATER, writeError } from '../responses/write-response.js';
import { limitConnections } from '../connections/connection-limit.js';
import { isKnownConnection, responseBatch, startedAt, type RequestTracker } from '../connections/request-tracker.js';
import type { ResponseBatch } from '../connections/response-batch.js';
import { isServed, leavesHttp, RequestAdmission, stopParsingBehindRefused } from '../connections/request-admission.js';
import type { ServerLimits } from '../connections/server-limits.js';
import { limitUnreadResponses } from '../connections/unread-responses.js';
import { ErrorResponse } from '../errors/error.response.js';
import { prefixNoter } from '../requests/forwarded-prefix.js';
import { openContext, requestContext, type RequestContextOptions } from '../requests/request-context.js';
import { prepareTarget } from '../requests/request-target.js';
import { closeWithoutReading } from '../requests/unread-body.js';

/** How often Node looks for clients that are past the time limits of `configureHttpServer`; by default it takes 30 s. */
const SLOW_CLIENTS_CHECK_MS = 2_000;

export interface ExpressServerOptions {
  readonly requestTracker: RequestTracker;
  readonly limits: ServerLimits;
  readonly context: RequestContextOptions;
  /** What lets a page of this origin read an answer that Express knows nothing of. */
  readonly corsFields: (origin: string | undefined) => HeaderFields;
}

/** Node's server before an Express: it bounds what is under way, and hands on every request that has an address, in its context. */
export function createExpressServer(
  express: Express,
  { requestTracker, limits, context, corsFields }: ExpressServerOptions,
): Server {
  const notePrefix = prefixNoter(express);
  const letPageRead = ({ headers: { origin } }: IncomingMessage, response: ServerResponse) => {
    setAll(response, corsFields(origin));
  };
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    notePrefix?.(request, response);
    // Node drops what it read behind such a request.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    const fault = prepareTarget(request);
    if (fault === undefined) {
      // What comes back is what nothing took: Nest's own handlers take everything, so it cannot happen.
      express(request as Request, response as Response, () => {
        writeError(request, response, ErrorResponse.failure());
      });
    } else {
      letPageRead(request, response);
      writeError(request, response, ErrorResponse.of('invalid_request', fault));
    }
  };
  const admission = new RequestAdmission(requestTracker, limits, {
    serve: (request, response) => {
      requestContext.run(openContext(request, context), serve, request, response);
    },
    refuse: (request, response) => {
      openContext(request, context);
      letPageRead(request, response);
      refuseOverloaded(request, response);
    },
    mayPipeline: isKnownConnection,
  });
  const messages = messageClasses(express);
  const options = {
    ...messages,
    shouldUpgradeCallback: leavesHttp,
    requireHostHeader: false,
    // What has no body is read to its end from the start, without the events of a stream.
    optimizeEmptyRequests: true,
    connectionsCheckingInterval: SLOW_CLIENTS_CHECK_MS,
  };
  const server = createServer(options, (request, response) => {
    admission.take(request, response);
  });
  stopParsingBehindRefused(messages.IncomingMessage, server);
  requestTracker.attach(server);
  limitConnections(server, requestTracker, limits.connections);
  limitUnreadResponses(server, requestTracker, limits.unreadBytes);
  return server;
}

const OVERLOADED = ErrorResponse.of('service_unavailable', 'The service is overloaded at the moment: try again later');

function refuseOverloaded(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  closeWithoutReading(request.socket);
  writeError(request, response, OVERLOADED, RETRY_LATER);
}

/** What Node's server makes requests and responses of. */
interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * Classes for Node's server whose objects are born with the prototypes that Express gives to every request and response
 * (Express, "Overriding the Express API": `app.request`, `app.response`). Express then finds them in place. Where it has to
 * change them, objects that are in use change their kind, and the engine gives up what it knows about them: that costs a
 * fifth of a request.
 */
function messageClasses(express: Express): MessageClasses {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    // Declared, so that all responses are of one shape: a fiftieth of a page.
    [startedAt]: number | undefined = undefined;
    [responseBatch]: ResponseBatch | undefined = undefined;
    [isServed] = false;
    [isComplete] = false;
  }
  // Express's own prototypes lead on to Node's.
  Object.setPrototypeOf(ExpressRequest.prototype, express.request);
  Object.setPrototypeOf(ExpressResponse.prototype, express.response);
  Object.assign(express, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
