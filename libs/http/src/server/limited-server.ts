import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  closeInactiveConnections,
  limitConnections,
  limitUnreadResponses,
  type ServerLimits,
} from '../connections/connection-limits.js';
import { closeLingering } from '../connections/lingering-close.js';
import { isRefused, RequestAdmission, type RequestHandlers } from '../connections/request-admission.js';
import type { RequestTracker } from '../connections/request-tracker.js';
import { closeBy, stopParsingOnRefused } from '../node-internals.js';
import { replaceResponsesOfNode, type ParserRefusals } from './parser-refusals.js';

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

export interface LimitedServerOptions extends RequestHandlers, ParserRefusals {
  readonly requestTracker: RequestTracker;
  readonly limits: ServerLimits;
  readonly messages: MessageClasses;
}

/**
 * A server that strangers may reach. What it holds is bounded by its connections: each has one request under way and at
 * most one response in memory ({@link RequestAdmission}), has a time for its header fields, for its request and without
 * traffic, and is closed so that the client can read the last response. What is not HTTP gets an Error body too.
 */
export function createLimitedServer(about: LimitedServerOptions): Server {
  const { requestTracker, limits, messages } = about;
  const options = {
    ...messages,
    shouldUpgradeCallback: stopParsingOnRefused(messages.IncomingMessage, isRefused),
    requireHostHeader: false,
    // Requests without a body are complete from the start, without the events of a stream.
    optimizeEmptyRequests: true,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: SLOW_CLIENTS_CHECK_MS,
  };
  const admission = new RequestAdmission(requestTracker, limits, about);
  const server = createServer(options, admission.take);
  server.on('upgrade', (_request: IncomingMessage, socket: Duplex) => {
    // The refusal is being sent and ends the connection. Node has no listener for errors any more.
    socket.on('error', () => undefined);
  });
  server.on('connection', (socket: Socket) => {
    closeBy(closeLingering, socket);
  });
  requestTracker.attach(server);
  limitConnections(server, requestTracker, limits.connections);
  limitUnreadResponses(server, requestTracker, limits.unreadBytes);
  closeInactiveConnections(server, requestTracker);
  replaceResponsesOfNode(server, requestTracker, about);
  return server;
}
