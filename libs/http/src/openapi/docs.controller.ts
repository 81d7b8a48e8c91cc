import { Controller, Get, Req, Res, type Type } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { RequestError } from '../errors/request.errors.js';
import { forwardedPrefix } from '../requests/forwarded-prefix.js';
import { TurnLimiter } from '../requests/body-limits.js';
import { sendFile } from './send-file.js';
import { ApiDocs } from './api-docs.js';

/**
 * The number of file parts that are sent in one turn of the event loop, over all connections. Node accepts one
 * connection per turn, so that the last of a thousand new clients waits for a thousand turns.
 */
const PIECES_PER_TURN = 4;

/**
 * Swagger UI at `/docs`, the guide below `/docs/guide`, and the document at `/openapi.json` and `/openapi.yaml`.
 *
 * @param publicRoute makes a route accessible without a key
 */
export function docsController(publicRoute: ClassDecorator): Type {
  @publicRoute
  @ApiExcludeController()
  @Controller()
  class DocsController {
    private readonly turns = new TurnLimiter(PIECES_PER_TURN);

    constructor(private readonly docs: ApiDocs) {}

    /**
     * Nest sorts these after the routes of the API, so that a request to the API is not compared with the addresses of
     * files.
     */
    @Get(['docs', 'docs/{:file}', 'docs/guide/{:page}', 'openapi.json', 'openapi.yaml'])
    async serve(@Req() request: Request, @Res() response: Response): Promise<void> {
      const file = await this.docs.find(request.path, forwardedPrefix(response));
      if (file === undefined) throw RequestError.nothingHere();
      sendFile(request, response, file, this.turns);
    }
  }
  return DocsController;
}
