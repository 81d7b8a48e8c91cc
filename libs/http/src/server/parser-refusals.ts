import { randomUUID } from 'node:crypto';
import { maxHeaderSize, STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { HttpException } from '@nestjs/common';
import { ErrorResponse } from '../errors/error-response.js';
import { stateOf } from '../request-context.js';
import { FIXED_FIELDS } from '../response-headers.js';
import type { RequestTracker } from './request-tracker.js';

/** What Node's parser refuses, by its error code. */
const REFUSALS: Readonly<Record<string, ErrorResponse>> = {
  HPE_HEADER_OVERFLOW: ErrorResponse.of(
    'headers_too_large',
    `The address and the header fields are larger than ${maxHeaderSize / 1_024} KiB: send fewer or shorter ones`,
  ),
  ERR_HTTP_REQUEST_TIMEOUT: ErrorResponse.of(
    'request_timeout',
    'The request did not arrive in time: send it again on a new connection',
  ),
};

/** Everything else that it refuses. */
const MALFORMED = ErrorResponse.of(
  'invalid_request',
  'The request is not valid HTTP/1.1: check its first line, its header fields and the length of its body',
);

const CONNECT = ErrorResponse.of('method_not_allowed', 'CONNECT is not allowed: this is no proxy');
/** The methods that are allowed at some address (RFC 9110, section 15.5.6). */
const ALLOW = ['Allow', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'];

/**
 * How long the client of a refused connection has to read the refusal, in milliseconds. If the connection were closed while
 * the client still sends, its kernel would discard the response (RFC 9112, section 9.6; nginx: `lingering_close`).
 */
const LINGER_MS = 2_000;

/** Makes the responses that Node writes itself follow the contract, those to what never becomes a request included. */
export function answerParserRefusals(server: Server, tracker: RequestTracker): void {
  // The client is asked for its body after the check of the key. An unknown expectation may be ignored (RFC 9110, 10.1.1).
  server.on('checkContinue', (...messages) => server.emit('request', ...messages));
  server.on('checkExpectation', (...messages) => server.emit('request', ...messages));

  server.on('connect', (_request, socket) => {
    socket.on('error', () => undefined);
    refuseAfter(tracker.latestResponseOn(socket), socket, CONNECT, ALLOW);
  });

  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    // Node's parser refuses all that still arrives, while the client reads the refusal.
    if (refused.has(socket)) return;
    refused.add(socket);
    // The client cannot read a response.
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuseAfter(tracker.latestResponseOn(socket), socket, REFUSALS[error.code ?? ''] ?? MALFORMED);
  });
}

/**
 * Ends a connection on which invalid HTTP arrived. The request that is served gets its response first; those that wait behind
 * it get none. The request that contains the invalid part gets one response, and not before its key was checked.
 *
 * @param latest the response to the latest request of the connection, unless both are complete
 */
function refuseAfter(
  latest: ServerResponse | undefined,
  socket: Duplex,
  error: ErrorResponse,
  own?: readonly string[],
): void {
  const isPart = latest?.req.complete === false;
  if (isPart && !latest.headersSent) {
    const fault = (stateOf(latest).bodyFault = new HttpException(error.message, error.status));
    latest.shouldKeepAlive = false;
    // Code that reads the body gets the error now or, if it has not begun, before it begins.
    if (latest.req.listenerCount('error') > 0) latest.req.emit('error', fault);
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
    return;
  }
  const end = () => {
    if (isPart) socket.destroy();
    else refuse(socket, error, own);
  };
  if (latest === undefined || latest.destroyed) end();
  else latest.once('close', end);
}

/** Writes a response where there is no response object of Node, and closes the connection once the client could read it. */
function refuse(socket: Duplex, error: ErrorResponse, own: readonly string[] = []): void {
  if (!socket.writable) return void socket.destroy();
  const body = JSON.stringify(error);
  const fields = [
    ...['Date', new Date().toUTCString(), 'Content-Type', 'application/json'],
    ...['Content-Length', String(Buffer.byteLength(body)), ...FIXED_FIELDS],
    ...['X-Request-Id', randomUUID(), 'Vary', 'Authorization', ...own, 'Connection', 'close'],
  ];
  const head = fields.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n${head}\r\n${body}`);
  // Node's parser does not see what still arrives: it is dropped.
  socket.removeAllListeners('data').resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
