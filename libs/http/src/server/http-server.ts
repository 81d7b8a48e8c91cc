import { Server, type IncomingMessage, type ServerOptions, type ServerResponse } from 'node:http';
import { watchParserRefusals } from './parser-refusals.js';
import type { RequestTracker, Serve } from './request-tracker.js';

/** The limits of one server. */
export interface ServerLimits {
  /** Open connections. A further connection replaces the one that has been idle for the longest time. */
  readonly maxConnections: number;
  /** The time for which an idle connection stays open, in milliseconds: longer than balancers keep one. */
  readonly keepAliveMs: number;
}

/** The time limits for the header of a request and for the whole request, in milliseconds. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 30_000;

/** How often Node checks for clients that exceed the two time limits, in milliseconds; Node's default is 30 s. */
const SLOW_CLIENTS_CHECK_MS = 2_000;

/**
 * The time without any traffic after which a connection with a request in flight is closed, in milliseconds: the client
 * does not read its response. Longer than any response takes to begin.
 */
const STALLED_TIMEOUT_MS = 65_000;

/** The classes of which Node's server makes requests and responses. */
export type MessageClasses = Required<Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>>;

/** A server whose idle connections may outlive its listening, so that a request on its way still gets a response. */
export class HttpServer extends Server {
  private isStopping = false;

  /** Accepts no more connections. Those that are open stay open, idle ones too. */
  stopListening(): void {
    this.isStopping = true;
    this.close();
  }

  /** Called by `close`, too. */
  override closeIdleConnections(): void {
    if (!this.isStopping) super.closeIdleConnections();
  }
}

/**
 * Makes a server that strangers may reach. What it holds is bounded by its connections ({@link RequestTracker}), slow
 * clients are ended by Node's own time-outs, and what is not HTTP gets an Error body too.
 */
export function createHttpServer(
  messages: MessageClasses,
  requestTracker: RequestTracker,
  { maxConnections, keepAliveMs }: ServerLimits,
  serve: Serve,
): HttpServer {
  const options = {
    ...messages,
    // The check of the target has a response with an Error body.
    requireHostHeader: false,
    // Requests without a body are complete from the start, without the events of a stream.
    optimizeEmptyRequests: true,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: SLOW_CLIENTS_CHECK_MS,
  };
  const server = new HttpServer(options, (request: IncomingMessage, response: ServerResponse) => {
    requestTracker.take(request, response);
  });
  server.timeout = STALLED_TIMEOUT_MS;
  requestTracker.attach(server, maxConnections, serve);
  watchParserRefusals(server, requestTracker);
  return server;
}
