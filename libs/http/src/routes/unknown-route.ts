import { All, Controller, MethodNotAllowedException, Next, NotFoundException, Req, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiExcludeController } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import type { JsonExpressAdapter } from '../express.adapter.js';
import { UnknownRoute } from './route-table.js';

/**
 * Makes the controller of every request that no other route handles. Guards run only for routes, so these are routes: below /v1
 * a request without a key gets 401 for every address, and does not learn which addresses exist. Nest sorts the routes so that
 * these come last.
 *
 * @param publicRoute makes a route accessible without a key
 */
export function unknownRoutes(publicRoute: MethodDecorator) {
  @ApiExcludeController()
  @Controller()
  class UnknownRoutes {
    constructor(private readonly host: HttpAdapterHost<JsonExpressAdapter>) {}

    @UnknownRoute()
    @All(['v1', 'v1/{*path}'])
    underVersion(@Req() request: Request, @Res() response: Response, @Next() next: NextFunction): void {
      this.answer(request, response, next);
    }

    @publicRoute
    @UnknownRoute()
    @All('{*path}')
    elsewhere(@Req() request: Request, @Res() response: Response, @Next() next: NextFunction): void {
      this.answer(request, response, next);
    }

    private answer({ method, path }: Request, response: Response, next: NextFunction): void {
      const methods = this.host.httpAdapter.routes.methodsAt(path);
      if (methods.length === 0) throw new NotFoundException('There is nothing at this address');
      // The route exists, and comes later, or has passed the request on.
      if (methods.includes(method)) {
        next();
        return;
      }
      const allow = [...new Set([...methods, 'OPTIONS'])].join(', ');
      // RFC 9110, section 15.5.6.
      response.setHeader('Allow', allow);
      if (method === 'OPTIONS') return void response.status(204).end();
      throw new MethodNotAllowedException(`${method} is not allowed at this address: use one of ${allow}`);
    }
  }
  return UnknownRoutes;
}
