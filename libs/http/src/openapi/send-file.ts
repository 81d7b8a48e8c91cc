import { pipeline } from 'node:stream';
import type { Request, Response } from 'express';
import { matchesEntityTag } from '../responses/entity-tag.js';
import { requestIdOf } from '../requests/request-context.js';
import { skipCommonHeaders } from '../responses/write-head.js';
import type { TurnLimiter } from '../requests/body-limits.js';
import { leavesBodyUnread } from '../requests/request-body.js';
import { DOCS_SECURITY_HEADERS } from './docs-security-headers.js';
import type { HeldFile } from './held-file.js';

/**
 * Sends a file in the encoding that the client accepts, in parts and without copying it, or 304 if the client already
 * has it.
 */
export function sendFile(request: Request, response: Response, file: HeldFile, turns: TurnLimiter): void {
  const { body, entityTag, encoding } = file.representation(request.acceptsEncodings('gzip', 'identity') === 'gzip');
  for (const [name, value] of Object.entries(DOCS_SECURITY_HEADERS)) response.setHeader(name, value);
  response.setHeader('X-Request-Id', requestIdOf(request));
  response.setHeader('Cache-Control', file.cacheControl);
  response.setHeader('ETag', entityTag);
  response.vary('Accept-Encoding');
  // The file is public: it is the same for every client.
  skipCommonHeaders(response);
  if (leavesBodyUnread(request)) {
    response.setHeader('Connection', 'close');
  }
  const ifNoneMatch = request.headers['if-none-match'];
  if (ifNoneMatch !== undefined && matchesEntityTag(ifNoneMatch, entityTag)) {
    response.writeHead(304).end();
    return;
  }
  response.setHeader('Content-Type', file.contentType);
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', body.length);
  response.writeHead(200);
  if (request.method === 'HEAD') response.end();
  // The client may have disconnected: there is no response to write.
  else pipeline(slicesOf(body, turns), response, () => undefined);
}

/**
 * The part of a file that is written to a connection at once, in bytes. Otherwise a client that reads nothing would
 * keep megabytes in its buffer.
 */
const SLICE = 64 * 1024;

async function* slicesOf(body: Buffer, turns: TurnLimiter): AsyncGenerator<Buffer> {
  for (let start = 0; start < body.length; start += SLICE) {
    if (start > 0) await turns.next();
    yield body.subarray(start, start + SLICE);
  }
}
