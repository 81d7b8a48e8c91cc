import { randomUUID } from 'node:crypto';
import { maxHeaderSize, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Logger } from '@nestjs/common';
import type { BaseErrorCode } from '../errors/error-codes.js';
import { ErrorResponse } from '../errors/error-response.js';
import { RequestError } from '../errors/request.errors.js';
import { FIXED_FIELDS } from '../responses/standing-fields.js';
import { exchangeOf } from '../requests/exchange.js';
import { closeLingering } from '../connections/lingering-close.js';
import type { RequestTracker } from '../connections/request-tracker.js';

/** The responses to what Node's parser refuses, by its error code. Everything else that it refuses is malformed. */
const REFUSALS: Readonly<Record<string, { code: BaseErrorCode; message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    code: 'headers_too_large',
    message: `The address and the header fields are larger than ${maxHeaderSize / 1_024} KiB: send fewer or shorter ones`,
  },
  HPE_INVALID_METHOD: {
    code: 'invalid_request',
    message: 'The request does not begin with a known HTTP method, in capital letters',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    code: 'payload_too_large',
    message: 'The chunk extensions of the body are too large: send it without them',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request_timeout',
    message: 'The request did not arrive in time: send it again on a new connection',
  },
};
const MALFORMED = {
  code: 'invalid_request',
  message: 'The request is not valid HTTP/1.1: check its first line, its header fields and the length of its body',
} as const;

/** How long the reader of a broken body has for its response, in milliseconds. */
const BROKEN_BODY_MS = 5_000;

/**
 * Makes the responses that Node writes itself follow the contract: for input that never becomes a request, and for
 * `Expect`.
 */
export function watchParserRefusals(server: Server, requestTracker: RequestTracker): void {
  const logger = new Logger('HttpServer');

  // The client is asked for the body later, after the check of the key.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1); Node would answer 417 without a body.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });

  const logRefusal = (code: string, socket: Duplex, reason?: string) => {
    const { remoteAddress } = socket as Socket;
    logger.debug({ code, reason, remoteAddress }, 'Refused what is no request');
  };

  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => undefined);
    logRefusal('method_not_allowed', socket, 'CONNECT');
    afterResponse(requestTracker.latestOn(socket), () => {
      const refusal = ErrorResponse.of('method_not_allowed', 'CONNECT is not allowed: this is no proxy');
      // RFC 9110, section 15.5.6: these methods are allowed at some address.
      endWithRawResponse(socket, refusal, ['Allow', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS']);
    });
  });

  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
    const { code, message } = REFUSALS[error.code ?? ''] ?? MALFORMED;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      // The client cannot read a response.
      socket.destroy();
    } else if (!refused.has(socket)) {
      refused.add(socket);
      logRefusal(code, socket, error.code);
      endWithRefusal(socket, requestTracker.latestOn(socket), ErrorResponse.of(code, message));
    }
  });
}

/**
 * Ends a connection on which invalid HTTP arrived. Earlier requests get their responses first. The request that contains
 * the invalid part gets one response, and not before its key was checked.
 */
function endWithRefusal(socket: Duplex, latest: ServerResponse | undefined, refusal: ErrorResponse): void {
  if (latest === undefined || latest.req.complete) {
    afterResponse(latest, () => {
      endWithRawResponse(socket, refusal);
    });
  } else if (latest.headersSent) {
    afterResponse(latest, () => {
      socket.destroy();
    });
  } else {
    const { req: request } = latest;
    const fault = (exchangeOf(latest).fault = new RequestError(refusal));
    latest.shouldKeepAlive = false;
    // Code that reads the body gets the error now or, if it has not begun, before it begins.
    if (request.listenerCount('error') > 0) request.emit('error', fault);
    setTimeout(() => socket.destroy(), BROKEN_BODY_MS).unref();
  }
}

/** Writes a response without a response object of Node, and closes the connection. */
function endWithRawResponse(socket: Duplex, error: ErrorResponse, fields: readonly string[] = []): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(error);
  const all = [
    ...['Date', new Date().toUTCString()],
    ...['Content-Type', 'application/json'],
    ...['Content-Length', String(Buffer.byteLength(body))],
    ...FIXED_FIELDS,
    ...['X-Request-Id', randomUUID()],
    ...['Vary', 'Authorization'],
    ...fields,
    ...['Connection', 'close'],
  ];
  const head = all.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
  socket.write(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n${head}\r\n${body}`);
  closeLingering(socket as Socket);
}

/** Calls back when the response is over, and with it all earlier responses of its connection. */
function afterResponse(latest: ServerResponse | undefined, then: () => void): void {
  if (latest === undefined || latest.writableFinished || latest.destroyed) then();
  else latest.once('close', then);
}
