import { All, Controller, Req, Res, type Type } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
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
      this.respond(request, response);
    }

    @publicRoute
    @Fallback()
    @All('{*path}')
    elsewhere(@Req() request: Request, @Res() response: Response): void {
      this.respond(request, response);
    }

    /** @throws RequestError unless the request asks for the options of an existing address */
    private respond(request: Request, response: Response): void {
      const allow = this.routes.allowAt(request.path);
      if (allow === undefined) throw RequestError.nothingHere();
      if (request.method === 'OPTIONS') {
        writeResponse(response, 204, ['Allow', allow]);
        return;
      }
      // An existing route may pass a request on: if it is for another host, or if the route calls `next`.
      const isLeft = allow.split(', ').includes(request.method);
      throw isLeft ? RequestError.nothingHere() : RequestError.methodNotAllowed(request.method, allow);
    }
  }
  return FallbackController;
}
