import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorResponse } from '../errors/error.response.js';
import { newRequestId } from '../requests/request-context.js';
import { FIXED_HEADERS } from '../responses/fixed-headers.js';
import type { HeaderFields } from '../responses/http-response.js';

/** Writes a response without a response object of Node, and closes the connection. */
export function endWithRawResponse(socket: Duplex, error: ErrorResponse, fields: HeaderFields): void {
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
    ...['X-Request-Id', newRequestId()],
    ...['Vary', 'Authorization'],
    ...fields,
    ...['Connection', 'close'],
  ];
  const head = all.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n${head}\r\n${body}`, () =>
    socket.destroy(),
  );
}
