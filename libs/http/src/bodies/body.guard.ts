import { isUtf8 } from 'node:buffer';
import type { CanActivate, ExecutionContext, RawBodyRequest } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { RequestError } from '../errors/request.errors.js';
import { mediaTypesOf, readsRawBody } from '../routes/route-metadata.js';
import { exchangeOf } from '../requests/exchange.js';
import { BODY_LIMIT } from './body-limit.decorator.js';
import { mayBeRounded, parseExactJson } from '../json/exact-json.js';
import { checkOutline } from './json-outline.js';

/**
 * A body may have this many chunks below this size, in bytes: each chunk costs Node the time and the memory of hundreds
 * of bytes, and no honest client sends so many.
 */
const TINY_CHUNK = 64;
const MAX_TINY_CHUNKS = 1_000;

/** How the bodies of a route are read. */
interface BodyReader {
  /** The largest body in bytes. */
  readonly limit: number;
  readonly parse: RequestHandler;
  /** Reads a body of another media type for `@RawBody()`; `undefined` if an interceptor or the handler reads it. */
  readonly keep: RequestHandler | undefined;
  /** The media types, in lower case, of bodies that an interceptor of the route or its handler reads. */
  readonly ownMediaTypes: readonly string[];
}

type BodyRequest = RawBodyRequest<Request>;

/**
 * Reads JSON bodies with `express.json`. It is the last of the global guards, so that no byte of a stranger's body is
 * read. A body of another media type is left to the interceptor of a route that declares it with `@ApiConsumes`.
 */
export class BodyGuard implements CanActivate {
  private readonly reflector = new Reflector();
  private readonly readers = new WeakMap<object, BodyReader>();

  /** @param limit of a body in bytes, on routes without `@BodyLimit` */
  constructor(private readonly limit: number) {}

  /**
   * @returns a promise only if there is a body to read
   * @throws RequestError immediately or as a rejection: 400, 411, 413 or 415
   */
  canActivate(context: ExecutionContext): true | Promise<true> {
    if (context.getType() !== 'http') return true;
    const [request, response] = context.getArgs<[BodyRequest, Response]>();
    // A middleware may have read the body.
    if ((request.body as unknown) !== undefined || !hasBody(request)) return true;
    if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return true;
    return this.read(request, response, this.readerOf(context));
  }

  private read(request: BodyRequest, response: Response, reader: BodyReader): true | Promise<true> {
    const { limit, ownMediaTypes } = reader;
    refuseEncoded(request);
    const type = request.headers['content-type'] ?? '';
    const isJson = /^application\/json[ \t]*(?:;|$)/i.test(type);
    if (!isJson && (ownMediaTypes.length === 0 || request.is([...ownMediaTypes]) === false))
      throw RequestError.unsupportedMediaType(ownMediaTypes);
    if (isJson) refuseCharset(type);
    const length = request.headers['content-length'];
    if (Number(length ?? 0) > limit) throw RequestError.payloadTooLarge(limit);
    // What reads the body itself may keep all of it. Its announced length is the bound that Node's parser enforces.
    const { keep } = reader;
    if (!isJson && length === undefined && keep === undefined) throw RequestError.lengthRequired();
    const { fault } = exchangeOf(response);
    if (fault !== undefined) throw fault;
    if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
    if (isJson) return receive(request, response, reader.parse, limit, readExactly);
    return keep === undefined ? true : receive(request, response, keep, limit);
  }

  private readerOf(context: ExecutionContext): BodyReader {
    const handler = context.getHandler();
    const controller = context.getClass();
    let reader = this.readers.get(handler);
    if (reader === undefined) {
      const own = this.reflector.getAllAndOverride<number | undefined>(BODY_LIMIT, [handler, controller]);
      const limit = own ?? this.limit;
      const options = { limit, inflate: false, type: () => true };
      reader = {
        limit,
        parse: express.json({ ...options, strict: false, verify: keepText }),
        keep: readsRawBody(controller, handler) ? express.raw({ ...options, verify: keepBytes }) : undefined,
        ownMediaTypes: mediaTypesOf(controller, handler).filter((type) => type !== 'application/json'),
      };
      this.readers.set(handler, reader);
    }
    return reader;
  }
}

/** Whether the request announces a body (RFC 9112, section 6.3). */
function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * Refuses a body that is not sent as it is: to inflate a small body would buy nobody anything, and cost memory and
 * processor time that a stranger chooses.
 */
function refuseEncoded({ headers }: Request): void {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'identity') throw RequestError.unsupportedEncoding();
  const transfer = headers['transfer-encoding']?.trim().toLowerCase() ?? 'chunked';
  if (transfer !== 'chunked') throw RequestError.invalid(['Transfer-Encoding may only be chunked']);
}

/** JSON has one charset, UTF-8 (RFC 8259, section 8.1). */
function refuseCharset(type: string): void {
  const charset = /;[ \t]*charset[ \t]*=[ \t]*"?(?<charset>[^";\s]*)/i.exec(type)?.groups?.['charset'];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') throw RequestError.unsupportedCharset(charset);
}

function keepText(request: BodyRequest, response: unknown, bytes: Buffer): void {
  if (!isUtf8(bytes)) throw RequestError.invalid(['The body is not valid UTF-8: encode the JSON as UTF-8']);
  keepBytes(request, response, bytes);
}

function keepBytes(request: BodyRequest, _response: unknown, bytes: Buffer): void {
  request.rawBody = bytes;
}

/**
 * Reads the body into `request.body` and `request.rawBody`.
 *
 * @param read a body parser of Express
 * @param finish called when it has read the body
 */
function receive(
  request: BodyRequest,
  response: Response,
  read: RequestHandler,
  limit: number,
  finish?: (request: BodyRequest) => void,
): Promise<true> {
  const received = new Promise<void>((resolve, reject) => {
    const refuse = (error: Error) => {
      exchangeOf(response).isBodyRefused = true;
      reject(error);
    };
    // A body parser reports an error only when the whole body has arrived.
    request.once('error', refuse);
    const { 'content-length': length = Infinity } = request.headers;
    if (Number(length) >= MAX_TINY_CHUNKS) watchChunks(request, limit, refuse);
    read(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(errorOf(error));
    });
  });
  return received.then(() => {
    finish?.(request);
    return true;
  });
}

/** Refuses a body while it arrives: a shorter one than {@link MAX_TINY_CHUNKS} bytes cannot break these rules. */
function watchChunks(request: BodyRequest, limit: number, refuse: (error: Error) => void): void {
  let bytes = 0;
  let tinyChunks = 0;
  request.on('data', ({ length }: Buffer) => {
    bytes += length;
    if (length < TINY_CHUNK) tinyChunks += 1;
    if (bytes > limit) refuse(RequestError.payloadTooLarge(limit));
    if (tinyChunks === MAX_TINY_CHUNKS) {
      request.removeAllListeners('data');
      refuse(RequestError.invalid([`The body comes in ${MAX_TINY_CHUNKS} chunks of a few bytes: send larger ones`]));
    }
  });
}

/** Checks what `JSON.parse` leaves unsaid, and replaces what it may have rounded. */
function readExactly(request: BodyRequest): void {
  const text = request.rawBody?.toString() ?? '';
  checkOutline(text, request.body);
  if (mayBeRounded(text)) request.body = parseExactJson(withoutMark(text));
}

/** The errors of `express.json`, by their `type`. */
function errorOf(error: unknown): Error {
  const { type, message } = error as Error & { readonly type?: string };
  if (type === 'entity.parse.failed') return RequestError.invalid([`The body is not valid JSON${placeIn(message)}`]);
  if (type === 'request.aborted' || type === 'request.size.invalid')
    return RequestError.invalid(['The body ended before its announced length: send all of it']);
  return error as Error;
}

/** The position in the engine's message for invalid JSON. Before it, the message may quote what was sent. */
const POSITION = /position [0-9]+ \(line (?<line>[0-9]+) column (?<column>[0-9]+)\)$/;

function placeIn(message: string): string {
  if (message === 'Unexpected end of JSON input') return ': it ends too early';
  const place = POSITION.exec(message)?.groups;
  return place === undefined ? '' : `, from line ${place['line']}, column ${place['column']} on`;
}

/** A byte order mark may be ignored (RFC 8259, section 8.1). */
function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
