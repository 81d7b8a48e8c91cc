import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeInactiveConnections, limitConnections, limitUnreadResponses } from './connection-limits.js';
import { lingerAfterLastResponse } from './lingering-close.js';
import { RequestAdmission, leavesHttp, stopParsingAfterRefused, type RequestHandlers } from './request-admission.js';
import type { RequestTracker } from './request-tracker.js';
import type { ServerLimits } from './server-limits.js';

/** The time limits for the header of a request and for the whole request, in milliseconds. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 30_000;

/** How often Node checks for clients that exceed the two time limits, in milliseconds; Node's default is 30 s. */
const SLOW_CLIENTS_CHECK_MS = 2_000;

/** The classes of which Node's server makes requests and responses. The class of the requests must be the server's own. */
export interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * A server that strangers may reach. What it holds is bounded by its connections: each has one request under way and at
 * most one response in memory ({@link RequestAdmission}), has a time for its header fields, for its request and without
 * traffic, and is closed so that the client can read the last response.
 */
export function createLimitedServer(
  requestTracker: RequestTracker,
  limits: ServerLimits,
  messages: MessageClasses,
  handlers: RequestHandlers,
): Server {
  const options = {
    ...messages,
    shouldUpgradeCallback: leavesHttp,
    requireHostHeader: false,
    // Requests without a body are complete from the start, without the events of a stream.
    optimizeEmptyRequests: true,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: SLOW_CLIENTS_CHECK_MS,
  };
  const admission = new RequestAdmission(requestTracker, limits, handlers);
  const server = createServer(options, (request, response) => {
    admission.take(request, response);
  });
  stopParsingAfterRefused(messages.IncomingMessage, server);
  server.on('connection', (socket: Socket) => {
    lingerAfterLastResponse(socket);
  });
  requestTracker.attach(server);
  limitConnections(server, requestTracker, limits.connections);
  limitUnreadResponses(server, requestTracker, limits.unreadBytes);
  closeInactiveConnections(server, requestTracker);
  return server;
}
