import { randomUUID } from 'node:crypto';
import { maxHeaderSize, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Logger } from '@nestjs/common';
import type { BaseErrorCode } from '../errors/error-codes.js';
import { ErrorResponse } from '../errors/error-response.js';
import { RequestError } from '../errors/request.errors.js';
import { isUnfinished, recordError, type RequestTracker } from '../connections/request-tracker.js';
import { FIXED_HEADERS } from '../responses/response-writer.js';
import { NO_FIELDS, type HeaderFields } from '../responses/http-response.js';
import { breakBody } from '../bodies/body-collector.js';
import { bodyAwaitsContinue } from '../bodies/request-body.js';
import { closeLingering } from '../connections/lingering-close.js';
import { isAuthenticated } from '../requests/request-context.js';

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

/** What the responses to input that is not a request say about the server. */
export interface ParserRefusals {
  /** The methods of all addresses together. */
  readonly methods: readonly string[];
}

/**
 * Makes the responses that Node writes itself follow the contract: for input that never becomes a request, and for
 * `Expect`.
 */
export function replaceResponsesOfNode(server: Server, requestTracker: RequestTracker, about: ParserRefusals): void {
  const logger = new Logger('HttpServer');

  // The client is asked for the body later, after the check of the key.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    bodyAwaitsContinue(request);
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
    afterResponses(requestTracker.latestOn(socket), () => {
      endWithRawResponse(socket, ErrorResponse.of('method_not_allowed', 'CONNECT is not allowed: this is no proxy'), [
        'Allow',
        about.methods.join(', '),
      ]);
    });
  });

  const faulty = new WeakSet<Duplex>();
  server.on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
    const { code, message } = REFUSALS[error.code ?? ''] ?? MALFORMED;
    const response = requestTracker.latestOn(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) {
      // The client cannot read a response.
      socket.destroy();
    } else if (!faulty.has(socket)) {
      faulty.add(socket);
      logRefusal(code, socket, error.code);
      endWithRefusal(socket, response, ErrorResponse.of(code, message));
    }
  });
}

/**
 * Ends a connection on which invalid HTTP arrived. Earlier requests get their responses first. The request that contains
 * the invalid part gets one response, and not before its key was checked.
 */
function endWithRefusal(socket: Duplex, response: ServerResponse | undefined, refusal: ErrorResponse): void {
  if (response === undefined || response.req.complete) {
    afterResponses(response, () => {
      endWithRawResponse(socket, refusal);
    });
  } else if (response.headersSent || response.writableEnded) {
    afterResponses(response, () => {
      socket.destroy();
    });
  } else if (!isAuthenticated(response.req)) {
    response.shouldKeepAlive = false;
    breakBody(response.req, RequestError.of(refusal));
  } else {
    recordError(response, refusal);
    endWithRawResponse(socket, refusal);
  }
}

/** Writes a response without a response object of Node, and closes the connection. */
function endWithRawResponse(socket: Duplex, error: ErrorResponse, fields: HeaderFields = NO_FIELDS): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(error);
  const all = [
    ...['Date', new Date().toUTCString()],
    ...['Content-Type', 'application/json'],
    ...['Content-Length', String(Buffer.byteLength(body))],
    ...FIXED_HEADERS,
    ...['X-Request-Id', randomUUID()],
    ...['Vary', 'Authorization'],
    ...fields,
    ...['Connection', 'close'],
  ];
  const head = all.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
  socket.write(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n${head}\r\n${body}`);
  closeLingering(socket as Socket);
}

/** Calls back when the response is sent, and with it all earlier responses of its connection. */
function afterResponses(latest: ServerResponse | undefined, then: () => void): void {
  if (latest === undefined || !isUnfinished(latest)) then();
  else latest.once('close', then);
}
