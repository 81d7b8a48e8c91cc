import { isUtf8 } from 'node:buffer';
import {
  BadRequestException,
  HttpException,
  PayloadTooLargeException,
  UnsupportedMediaTypeException,
  type CanActivate,
  type ExecutionContext,
  type RawBodyRequest,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DECORATORS } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import getRawBody from 'raw-body';
import { stateOf } from '../request-context.js';
import { UnknownRoute } from '../routes/route-table.js';
import { parseExactJson } from './exact-json.js';

/** The largest body of a route, or of all routes of a controller, in bytes, instead of the setting `BODY_LIMIT`. */
export const BodyLimit = Reflector.createDecorator<number>();

/** Bodies above this size, in bytes, are parsed and validated one per iteration of the event loop. */
const LARGE_BODY_BYTES = 4_096;

/** The most members of an object: class-transformer's time grows with their square. */
export const MAX_MEMBERS = 500;

/** The largest depth of nested objects and arrays: code that goes through a value calls itself for each level. */
const MAX_DEPTH = 100;

type BodyRequest = RawBodyRequest<Request>;

/**
 * Reads JSON bodies. It is the last of the global guards, so that no byte of an unauthenticated client's body is read, and an unknown
 * address or method is refused whatever its body. A body of another media type is left to the interceptor of a route that
 * declares it with `@ApiConsumes`.
 */
export class BodyGuard implements CanActivate {
  private readonly reflector = new Reflector();
  /** The end of the queue of large bodies. */
  private largeBodies: Promise<unknown> = Promise.resolve();

  /** @param limit of a body in bytes, on routes without `@BodyLimit` */
  constructor(private readonly limit: number) {}

  /**
   * @returns a promise only if there is a body to read
   * @throws HttpException immediately or as a rejection: 400, 413 or 415
   */
  canActivate(context: ExecutionContext): true | Promise<true> {
    const [request, response] = context.getArgs<[BodyRequest, Response]>();
    // A middleware may have read the body.
    if (!hasBody(request) || (request.body as unknown) !== undefined) return true;
    if (this.reflector.get(UnknownRoute, context.getHandler())) return true;
    const route = [context.getHandler(), context.getClass()];
    const limit = this.reflector.getAllAndOverride<number | undefined>(BodyLimit.KEY, route) ?? this.limit;
    refuseEncoded(request);
    // Also for what an interceptor reads.
    if (Number(request.headers['content-length'] ?? 0) > limit) throw payloadTooLarge(limit);
    const isJson = JSON_TYPE.test(request.headers['content-type'] ?? '');
    if (!isJson) this.refuseUndeclared(request, route);
    const { bodyFault } = stateOf(response);
    if (bodyFault !== undefined) throw bodyFault;
    if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
    return isJson ? this.parse(request, limit) : true;
  }

  private async parse(request: BodyRequest, limit: number): Promise<true> {
    const bytes = await receive(request, limit);
    request.rawBody = bytes;
    if (bytes.length > LARGE_BODY_BYTES) {
      this.largeBodies = this.largeBodies.then(() => new Promise(setImmediate));
      await this.largeBodies;
      // Nobody waits for the response any more.
      if (request.socket.destroyed) throw new BadRequestException('The client is gone');
    }
    request.body = valueOf(bytes);
    return true;
  }

  /** Refuses a body that is neither JSON nor of a type that an interceptor of the route reads. */
  private refuseUndeclared(request: BodyRequest, route: Parameters<Reflector['get']>[1][]): void {
    const declared =
      this.reflector.getAllAndOverride<readonly string[] | undefined>(DECORATORS.API_CONSUMES, route) ?? [];
    const own = declared.map((type) => type.toLowerCase()).filter((type) => type !== 'application/json');
    if (own.length > 0 && request.is(own) !== false) return;
    const others = own.length === 0 ? '' : `, or a body of the type ${own.join(', ')}`;
    throw new UnsupportedMediaTypeException(
      `The body must be JSON in UTF-8: send the header Content-Type: application/json${others}`,
    );
  }
}

/** Whether the request announces a body (RFC 9112, section 6.3) that is read. */
function hasBody({ method, headers }: Request): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** JSON has one charset, UTF-8 (RFC 8259, section 8.1). */
const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?$/i;

/**
 * Refuses a body that is not sent as it is: to inflate a small body would buy nobody anything, and cost memory and
 * processor time that a caller chooses.
 */
function refuseEncoded({ headers }: Request): void {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity') return;
  throw new UnsupportedMediaTypeException('The body must be sent as it is: leave the header Content-Encoding out');
}

function payloadTooLarge(limit: number): PayloadTooLargeException {
  return new PayloadTooLargeException(`The body is larger than ${limit} bytes, the most that is accepted`);
}

async function receive(request: Request, limit: number): Promise<Buffer> {
  try {
    return await getRawBody(request, { length: request.headers['content-length'] ?? null, limit });
  } catch (error) {
    // The parser of HTTP has refused the rest of the body.
    if (error instanceof HttpException) throw error;
    // What still arrives is dropped, so that the client gets to read the refusal.
    request.resume();
    if ((error as getRawBody.RawBodyError).status === 413) throw payloadTooLarge(limit);
    throw new BadRequestException('The body ended before its announced length: send all of it');
  }
}

/** @throws BadRequestException if the bytes are no JSON, or its objects are too wide or too deep */
function valueOf(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new BadRequestException('The body is not valid UTF-8: encode the JSON as UTF-8');
  const text = bytes.toString();
  let value: unknown;
  try {
    // A byte order mark may be ignored (RFC 8259, section 8.1).
    value = parseExactJson(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch (error) {
    // The place, if the engine gives it. Before it, its message may quote what was sent.
    const [place = ''] = / at position [0-9]+ \(line [0-9]+ column [0-9]+\)$/.exec((error as Error).message) ?? [];
    throw new BadRequestException(`The body is not valid JSON${place}`);
  }
  refuseWideAndDeep(value);
  return value;
}

/** @param depth in how many objects and arrays the value is */
function refuseWideAndDeep(value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth === MAX_DEPTH) throw new BadRequestException(`The body is nested more than ${MAX_DEPTH} levels deep`);
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
  if (members.length > MAX_MEMBERS && !Array.isArray(value))
    throw new BadRequestException(`An object of the body has more than ${MAX_MEMBERS} members`);
  for (const member of members) refuseWideAndDeep(member, depth + 1);
}
