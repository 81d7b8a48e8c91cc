import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { StreamableFile } from '@nestjs/common';
import type { CorsOptions, CorsOptionsDelegate } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { ErrorResponse } from '../errors/error.response.js';
import { Answer, NO_FIELDS } from '../answers/answer.js';
import { limitConnections } from '../connections/connection-limit.js';
import { matchesEntityTag } from '../answers/entity-tag.js';
import { Exchanges, isKnownConnection } from '../connections/exchanges.js';
import { Accelerators } from '../accelerators/accelerators.js';
import { expressMessages, ownMessages } from '../accelerators/express-messages.js';
import {
  openContext,
  requestContext,
  type RequestContext,
  type RequestContextOptions,
} from '../requests/request-context.js';
import { leavesHttp, RequestAdmission, stopParsingBehindRefused } from '../connections/request-admission.js';
import { prepareTarget } from '../requests/request-target.js';
import { DEFAULT_SERVER_LIMITS, type ServerLimits } from '../connections/server-limits.js';
import { limitUnreadAnswers } from '../connections/unread-answers.js';
import { closeWithoutReading } from '../requests/unread-body.js';
import { commonFields, RETRY_LATER, writeAnswer } from '../answers/write-answer.js';
import { preflightHeaders, withRoutes } from './cors.js';
import { RouteTable, type RouteHandler } from './route-table.js';

/** How often Node looks for clients that are past the time limits of `configureHttpServer`; by default it takes 30 s. */
const SLOW_CLIENTS_CHECK_MS = 2_000;

/** What Nest registers routes with. */
const REGISTRATIONS = [
  ...['all', 'get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'search', 'query'],
  ...['propfind', 'proppatch', 'mkcol', 'copy', 'move', 'lock', 'unlock'],
];

type Register = (path: string, handler: RouteHandler) => unknown;

/** Express under Nest, with answers written as the contract wants them: exact integers, a strong `ETag`, 304. */
export class JsonExpressAdapter extends ExpressAdapter {
  readonly exchanges = new Exchanges();
  readonly routes: RouteTable;

  constructor(
    express: Express,
    private readonly limits: ServerLimits = DEFAULT_SERVER_LIMITS,
    private readonly context: RequestContextOptions = {},
    private readonly accelerators = new Accelerators(),
  ) {
    super(express);
    this.routes = new RouteTable(this.getRouteMatchingOptions());
    this.noteRoutes();
  }

  /** Lets the table of routes know what is registered. */
  private noteRoutes(): void {
    const adapter = this as unknown as Record<string, Register>;
    for (const method of REGISTRATIONS) {
      const register = adapter[method]?.bind(this);
      adapter[method] = (path, handler) => register?.(path, this.routes.add(method, path, handler));
    }
  }

  override initHttpServer(): void {
    const express = this.getInstance<Express>();
    const messages = this.accelerators.begin('express-messages', () => expressMessages(express)) ?? ownMessages();
    const options = {
      ...messages,
      shouldUpgradeCallback: leavesHttp,
      requireHostHeader: false,
      // What has no body is read to its end from the start, without the events of a stream.
      optimizeEmptyRequests: true,
      connectionsCheckingInterval: SLOW_CLIENTS_CHECK_MS,
    };
    const serve = (request: IncomingMessage, response: ServerResponse) => {
      // Node drops what it read behind such a request.
      if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
      const fault = prepareTarget(request);
      if (fault === undefined) {
        // What comes back is what nothing took: Nest's own handlers take everything, so it cannot happen.
        express(request as Request, response as Response, () => {
          writeError(request, response, ErrorResponse.failure());
        });
      } else {
        writeError(request, response, new ErrorResponse('invalid_request', fault));
      }
    };
    const admission = new RequestAdmission(this.exchanges, this.limits, {
      serve: (request, response) => {
        requestContext.run(this.openContext(request), serve, request, response);
      },
      refuse: (request, response) => {
        this.openContext(request);
        refuseOverloaded(request, response);
      },
      mayPipeline: isKnownConnection,
    });
    this.httpServer = createServer(options, (request, response) => {
      admission.take(request, response);
    });
    stopParsingBehindRefused(messages.IncomingMessage, this.httpServer);
    this.exchanges.attach(this.httpServer);
    limitConnections(this.httpServer, this.exchanges, this.limits.connections);
    limitUnreadAnswers(this.httpServer, this.exchanges, this.limits.unreadBytes);
  }

  /** With what follows from the routes, where the options are silent. */
  override enableCors(options?: CorsOptions | CorsOptionsDelegate<Request>): void {
    this.use(preflightHeaders);
    super.enableCors(withRoutes(this.routes, options));
  }

  /** To be called with every request before it is answered. */
  openContext(request: IncomingMessage): RequestContext {
    return openContext(request, this.context);
  }

  /** With room for as many connections to wait until they are accepted as may be open: others would wait for a second. */
  override listen(port: string | number, ...rest: unknown[]): Server {
    const [host, callback] = rest;
    if (typeof host !== 'string') return super.listen(port, ...(rest as [() => void]));
    const backlog = this.limits.connections;
    return this.httpServer.listen({ port: Number(port), host, backlog }, callback as () => void);
  }

  override getHttpServer(): Server {
    return this.httpServer;
  }

  /** Called by Nest with what a handler returned. */
  override reply(response: Response, result: unknown, status = response.statusCode): void {
    const request: Request = response.req;
    if (result === undefined) {
      writeAnswer(request, response, status, NO_FIELDS);
      return;
    }
    if (result instanceof StreamableFile) {
      this.replyWithFile(response, result, status);
      return;
    }
    const answer = result instanceof Answer ? result : Answer.of(result);
    const ifNoneMatch = status === 200 ? request.headers['if-none-match'] : undefined;
    if (ifNoneMatch !== undefined && isRead(request) && matchesEntityTag(ifNoneMatch, answer.entityTag)) {
      writeAnswer(request, response, 304, answer.fields);
    } else {
      writeAnswer(request, response, status, answer.fields, answer.body, answer.bytes);
    }
  }

  private replyWithFile(response: Response, file: StreamableFile, status: number): void {
    const fields = commonFields(response.req, response);
    for (let index = 0; index < fields.length; index += 2) response.removeHeader(fields[index] ?? '');
    for (let index = 0; index < fields.length; index += 2) {
      response.appendHeader(...(fields.slice(index, index + 2) as [string, string]));
    }
    const breakOff = file.errorHandler;
    file.setErrorHandler((error, raw) => {
      if (response.headersSent || response.destroyed) {
        breakOff(error, raw);
        return;
      }
      file.errorLogger(error);
      replaceByFailure(response);
    });
    super.reply(response, file, status);
  }
}

/** Sends the Error body with the header fields that were set for a file, but for those that describe it. */
function replaceByFailure(response: Response): void {
  const failure = ErrorResponse.failure();
  const body = JSON.stringify(failure);
  response.removeHeader('Content-Disposition');
  const content = ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(body))];
  response.writeHead(failure.status, content).end(body);
}

function writeError(request: IncomingMessage, response: ServerResponse, error: ErrorResponse): void {
  writeAnswer(request, response, error.status, NO_FIELDS, JSON.stringify(error));
}

const OVERLOADED = JSON.stringify(
  new ErrorResponse('service_unavailable', 'The service is overloaded at the moment: try again later'),
);

function refuseOverloaded(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  closeWithoutReading(request.socket);
  writeAnswer(request, response, 503, RETRY_LATER, OVERLOADED);
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}
