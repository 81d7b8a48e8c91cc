import { createServer, IncomingMessage, ServerResponse, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { Express } from 'express';
import { requestIdOf, RequestState, type StatefulResponse } from '../request-context.js';
import { commonFields, setFields } from '../response-headers.js';
import { answerParserRefusals } from './parser-refusals.js';
import type { RequestTracker, Serve } from './request-tracker.js';

/** The options of one server. */
export interface ServerOptions {
  /** Open connections. A further connection replaces the one that has been idle for the longest time. */
  readonly maxConnections: number;
  /** The time for which an idle connection stays open, in milliseconds: longer than balancers keep one. */
  readonly keepAliveMs: number;
  /** Whether a text is secret, such as an API key: it is then not used as the id of a request. */
  readonly isSecret?: (text: string) => boolean;
}

/** The time limits of Node, in milliseconds. */
const TIMEOUTS = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  /** How often Node checks for clients that exceed these two; its default is 30 s. */
  connectionsCheckingInterval: 2_000,
};

/**
 * The time without any traffic after which a connection with a request in flight is closed, in milliseconds: the client
 * does not read its response. Longer than any response takes to begin.
 */
const STALLED_TIMEOUT_MS = 65_000;

/** Makes a server that unauthenticated clients may reach: {@link RequestTracker} bounds what it holds. */
export function createHttpServer(
  app: Express,
  tracker: RequestTracker,
  { maxConnections, keepAliveMs, isSecret = () => false }: ServerOptions,
  serve: Serve,
): Server {
  const options = {
    ...messageClasses(app, isSecret),
    ...TIMEOUTS,
    keepAliveTimeout: keepAliveMs,
    // `prepareTarget` refuses such a request with an Error body.
    requireHostHeader: false,
    // Requests without a body are complete from the start, without the events of a stream.
    optimizeEmptyRequests: true,
  };
  const server = createServer(options, (request: IncomingMessage, response: ServerResponse) => {
    tracker.take(request, response);
  });
  server.timeout = STALLED_TIMEOUT_MS;
  tracker.attach(server, maxConnections, serve);
  answerParserRefusals(server, tracker);
  return server;
}

/**
 * The classes of the requests and responses. Their objects are created with the prototypes that Express gives to every
 * request and response (Express, "Overriding the Express API": `app.request`, `app.response`). If Express changed the
 * prototype of an object in use, V8 would discard its optimizations for the object: a fifth of the time of a request.
 */
function messageClasses(app: Express, isSecret: (text: string) => boolean) {
  class Request extends IncomingMessage {
    private isUpgrade = false;

    /**
     * Read and set by Node's parser, which stops behind an upgrade. 64 KiB, the largest read, hold 3,640 requests: if the
     * parser went on behind one whose connection is closed, 512 clients that send ahead would take more than 512 MiB.
     */
    get upgrade(): boolean {
      return this.isUpgrade || this.socket.destroyed;
    }

    set upgrade(isUpgrade: boolean | null) {
      this.isUpgrade = isUpgrade === true;
    }
  }

  /** A response that has the common header fields, however it is written: by hand, by a filter, as a stream. */
  class Response<Sent extends IncomingMessage> extends ServerResponse<Sent> implements StatefulResponse {
    readonly state = new RequestState(requestIdOf(this.req, isSecret));

    /** Called by Node too, when the first byte of a response is written and its header was not. */
    override writeHead(status: number, ...rest: unknown[]): this {
      // An interim response (1xx) has no fields, and Node refuses a second header.
      if (status >= 200 && !this.headersSent) {
        const own = rest.at(-1);
        if (Array.isArray(own) && this.getHeaderNames().length === 0) {
          rest[rest.length - 1] = [...commonFields(this), ...(own as string[])];
        } else {
          if (typeof own === 'object' && own !== null) setFields(this, rest.pop() as object);
          setFields(this, commonFields(this), { keep: true });
        }
      }
      return super.writeHead(status, ...(rest as [OutgoingHttpHeaders]));
    }
  }

  // Express's own prototypes inherit from Node's.
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
}
