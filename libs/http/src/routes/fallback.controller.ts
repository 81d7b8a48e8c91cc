import { All, Controller, Req, Res, type Type } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { distance } from 'fastest-levenshtein';
import { RequestError } from '../errors/request.errors.js';
import { writeResponse } from '../responses/write-response.js';
import { Fallback, RouteTable } from './route-table.js';

/**
 * Answers every request that no other route handles. Guards run only for routes, so these are routes: below a version
 * such as /v1, a request without a key gets 401 for every address, and does not learn which addresses exist. Nest sorts
 * the routes so that these come last.
 *
 * @param publicRoute makes a route accessible without a key
 */
export function fallbackController(publicRoute: MethodDecorator): Type {
  @ApiExcludeController()
  @Controller()
  class FallbackController {
    constructor(private readonly routes: RouteTable) {}

    @Fallback((routes, path) => routes.isVersioned(path))
    @All('v*path')
    underVersion(@Req() request: Request, @Res() response: Response): void {
      this.respond(request, response, this.routes.paths);
    }

    @publicRoute
    @Fallback()
    @All('{*path}')
    elsewhere(@Req() request: Request, @Res() response: Response): void {
      // A stranger learns no address that the published document does not tell.
      this.respond(request, response, this.routes.published);
    }

    /**
     * @param known the addresses that the caller may know
     * @throws RequestError unless the request asks for the options of an existing address
     */
    private respond(request: Request, response: Response, known: readonly string[]): void {
      const allow = this.routes.allowAt(request.path);
      if (allow === undefined) throw RequestError.nothingHere(this.hint(request.path, known));
      if (request.method === 'OPTIONS') {
        writeResponse(response, 204, ['Allow', allow]);
        return;
      }
      // An existing route may pass a request on: if it is for another host, or if the route calls `next`.
      const isLeft = allow.split(', ').includes(request.method);
      throw isLeft ? RequestError.nothingHere() : RequestError.methodNotAllowed(request.method, allow);
    }

    private hint(path: string, known: readonly string[]): string | undefined {
      const meant = meantBy(path, known);
      if (meant !== undefined) return `did you mean ${meant}?`;
      return this.routes.published.length > 0 ? '/docs shows all addresses' : undefined;
    }
  }
  return FallbackController;
}

/** The longest address that is compared, in UTF-16 units: the comparison takes time in proportion to its square. */
const MAX_COMPARED_LENGTH = 64;

/**
 * Finds a known address without parameters that is similar to the path. It may differ in the version, in case, in a final
 * slash or in one letter, and the path may have something before it.
 */
function meantBy(path: string, known: readonly string[]): string | undefined {
  if (path.length > MAX_COMPARED_LENGTH) return undefined;
  const wanted = path.toLowerCase().replace(/\/+$/, '');
  return known.find(
    (address) =>
      /^[^:{*]+$/.test(address) &&
      (wanted.endsWith(address) || distance(withoutVersion(address), withoutVersion(wanted)) <= 1),
  );
}

function withoutVersion(path: string): string {
  return path.replace(/^\/v[0-9]+(?=\/)/, '');
}
