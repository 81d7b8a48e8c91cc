import { All, Controller, Req, Res, type Type } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { IRouter, Request, Response } from 'express';
import { RequestError } from '../errors/request.errors.js';
import { isFallback, type RouteLayer } from './route-layer.js';
import { writeAnswer } from '../answers/write-answer.js';

/**
 * Answers whatever no other route took. Guards run for routes alone, so these are routes: under /v1 a request without
 * a key learns nothing, not even which addresses exist. Nest sorts the routes so that these come last.
 *
 * @param publicRoute lets a route answer whoever asks
 */
export function fallbackController(publicRoute: MethodDecorator): Type {
  @ApiExcludeController()
  @Controller()
  class FallbackController {
    @All(['v1', 'v1/{*path}'])
    underVersion(@Req() request: Request, @Res() response: Response): void {
      answer(request, response);
    }

    @publicRoute
    @All('*path')
    elsewhere(@Req() request: Request, @Res() response: Response): void {
      answer(request, response);
    }
  }
  return FallbackController;
}

/** @throws RequestError unless the request asks for the options of an address that exists */
function answer(request: Request, response: Response): void {
  const methods = methodsAt(request.app.router as IRouter, request.path);
  if (methods.length === 0) throw RequestError.nothingHere();
  const allow = [...methods, 'OPTIONS'].join(', ');
  if (request.method !== 'OPTIONS') throw RequestError.methodNotAllowed(request.method, allow);
  writeAnswer(request, response, 204, ['Allow', allow]);
}

/** The methods that the routes of this application serve at an address. */
function methodsAt(router: IRouter, path: string): string[] {
  const methods = new Set<string>();
  for (const layer of router.stack as unknown as RouteLayer[]) {
    if (layer.route === undefined || isFallback(layer) || !layer.match(path)) continue;
    for (const method of Object.keys(layer.route.methods)) {
      methods.add(method.toUpperCase());
      // Express answers HEAD wherever it answers GET.
      if (method === 'get') methods.add('HEAD');
    }
  }
  return [...methods];
}
