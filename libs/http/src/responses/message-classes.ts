import { setMaxListeners } from 'node:events';
import { IncomingMessage, ServerResponse, type OutgoingHttpHeaders, type ServerOptions } from 'node:http';
import { Socket } from 'node:net';
import type { Express } from 'express';
import { ErrorResponse } from '../errors/error-response.js';
import type { Exchange, ExchangeResponse } from '../requests/exchange.js';
import { dropBody } from '../connections/lingering-close.js';
import { addPathPrefix } from './path-prefix.js';
import { standingFields } from './standing-fields.js';
import { leavesBodyUnread } from './unread-body.js';
import { writeError } from './write-response.js';

/** The classes of which Node's server makes requests and responses. */
export type MessageClasses = Required<Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>>;

/**
 * The request that Node gets in the place of those that its parser still finds in the last read of a closed connection: 64
 * KiB hold thousands. It asks for an upgrade, behind which no HTTP follows, and so the parser stops. Without it, beside
 * 256 connections that send a thousand requests ahead, others waited for 3.5 s instead of 0.3 s (`npm run test:abuse`).
 */
class DiscardedRequest extends IncomingMessage {
  get upgrade(): boolean {
    return true;
  }

  /** Node's parser sets it, and the constructor too. */
  set upgrade(_sent: unknown) {
    // It stays as it is.
  }
}

const DISCARDED = new DiscardedRequest(new Socket().destroy());

/**
 * The classes of the requests and responses of a server with this Express.
 *
 * Their objects are created with the prototypes that Express gives to every request and response (Express, "Overriding
 * the Express API": `app.request`, `app.response`). If Express changes the prototype of an object in use, V8 discards
 * its optimizations for the object: a fifth of the time of a request.
 *
 * @param pathPrefix the prefix that a proxy removes from addresses, such as `/shop`
 * @param stopping aborted when the server begins to stop, which ends streams of events: they have no end of their own
 */
export function messageClasses(
  express: Express,
  pathPrefix: string | undefined,
  stopping: AbortSignal,
): MessageClasses {
  setMaxListeners(0, stopping);

  class Request extends IncomingMessage {
    constructor(socket: Socket) {
      if (socket.destroyed) return DISCARDED;
      super(socket);
    }
  }

  /** A response that has the standing header fields, however it is written: by hand, by a filter, as a stream. */
  class Response<Sent extends IncomingMessage> extends ServerResponse<Sent> implements ExchangeResponse {
    // Declared here so that all responses have one hidden class in V8.
    exchange: Exchange | undefined = undefined;

    /** Called by Node too, when the first byte of a response is written and its header was not. */
    override writeHead(status: number, reason?: unknown, headers?: unknown): this {
      const phrase = typeof reason === 'string' ? reason : undefined;
      const own = listOf(phrase === undefined ? (headers ?? reason) : headers);
      // An interim response (1xx) has no standing fields, and Node refuses a second header.
      if (this.exchange === undefined || status < 200 || this.headersSent) return this.writeFields(status, phrase, own);
      const fields = standingFields(this, own);
      if (leavesBodyUnread(this.req, this.exchange)) {
        this.exchange.leavesBody = true;
        fields.push('Connection', 'close');
      }
      fields.push(...own);
      if (own.includes('text/event-stream')) endWith(this, stopping);
      if (pathPrefix === undefined) return this.writeFields(status, phrase, fields);
      setAll(this, fields);
      addPathPrefix(this, pathPrefix);
      return this.writeFields(status, phrase, []);
    }

    /**
     * If the body of the request is left unread, the response is sent whole at once, but it ends, and with it the
     * connection, only when the client has had the time to read it.
     */
    override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
      if (this.exchange?.sendsFile === true && isNestsFailure(this, chunk)) {
        this.exchange.sendsFile = false;
        writeError(this, ErrorResponse.failure());
        return this;
      }
      if (this.exchange !== undefined && !this.headersSent && leavesBodyUnread(this.req, this.exchange)) {
        if (!this.hasHeader('Content-Length')) this.setHeader('Content-Length', lengthOf(chunk));
        this.writeHead(this.statusCode);
      }
      if (this.exchange?.leavesBody !== true)
        return super.end(chunk, encoding as BufferEncoding, callback as () => void);
      this.flushHeaders();
      if (chunk !== undefined && chunk !== null) this.write(chunk, encoding as BufferEncoding);
      dropBody(this.req, this.exchange.fault !== undefined, () => super.end(callback as () => void));
      return this;
    }

    private writeFields(status: number, phrase: string | undefined, fields: readonly string[]): this {
      const list = fields as unknown as OutgoingHttpHeaders;
      return phrase === undefined ? super.writeHead(status, list) : super.writeHead(status, phrase, list);
    }
  }

  // Express's own prototypes inherit from Node's.
  Object.setPrototypeOf(Request.prototype, express.request);
  Object.setPrototypeOf(Response.prototype, express.response);
  Object.assign(express, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
}

/** Ends a response when the signal is aborted. */
function endWith(response: ServerResponse, stopping: AbortSignal): void {
  const end = () => response.end();
  if (stopping.aborted) setImmediate(end);
  stopping.addEventListener('abort', end, { once: true });
  response.once('close', () => {
    stopping.removeEventListener('abort', end);
  });
}

/** Converts the forms in which Node takes header fields to a list in which names and values alternate. */
function listOf(headers: unknown): readonly string[] {
  if (headers === undefined || headers === null) return [];
  if (!Array.isArray(headers)) return Object.entries(headers).flatMap(valuesOf);
  return Array.isArray(headers[0]) ? (headers as [string, unknown][]).flatMap(valuesOf) : (headers as string[]);
}

function valuesOf([name, value]: [string, unknown]): string[] {
  return [value].flat().flatMap((one) => [name, one as string]);
}

/** Sets header fields on a response. A name that repeats gets all of its values. */
function setAll(response: ServerResponse, fields: readonly string[]): void {
  const values = new Map<string, string[]>();
  for (let index = 0; index < fields.length; index += 2) {
    const [name = '', value = ''] = fields.slice(index, index + 2);
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  for (const [name, list] of values) response.setHeader(name, list.length === 1 ? String(list[0]) : list);
}

function lengthOf(chunk: unknown): number {
  return typeof chunk === 'string' || chunk instanceof Uint8Array ? Buffer.byteLength(chunk) : 0;
}

/** What Nest sends by default if the file of a handler turns out to be unreadable: a text, and status 400. */
function isNestsFailure({ statusCode, headersSent }: ServerResponse, chunk: unknown): boolean {
  return !headersSent && statusCode === 400 && String(chunk) === 'Bad Request';
}
