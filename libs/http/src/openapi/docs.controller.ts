import { Controller, Get, Req, Res, type Type } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { RequestError } from '../errors/request.errors.js';
import { forwardedPrefix } from '../requests/forwarded-prefix.js';
import { TurnLimiter } from '../requests/turn-limiter.js';
import { answerWithFile } from './answer-with-file.js';
import { ApiDocs } from './api-docs.js';

/**
 * How many pieces of files are sent in one turn of the event loop, over all connections. Node accepts one connection in each
 * turn, so that behind a thousand others a client waits for as many turns.
 */
const PIECES_PER_TURN = 4;

/**
 * Swagger UI at `/docs`, the guide below `/docs/guide`, and the document at `/openapi.json` and `/openapi.yaml`.
 *
 * @param publicRoute lets a route answer whoever asks
 */
export function docsController(publicRoute: ClassDecorator): Type {
  @publicRoute
  @ApiExcludeController()
  @Controller()
  class DocsController {
    private readonly turns = new TurnLimiter(PIECES_PER_TURN);

    constructor(private readonly docs: ApiDocs) {}

    /** Nest sorts these behind the routes of the API: a request for those need not pass the addresses of files. */
    @Get(['docs', 'docs/{:file}', 'docs/guide/{:page}', 'openapi.json', 'openapi.yaml'])
    async serve(@Req() request: Request, @Res() response: Response): Promise<void> {
      const file = await this.docs.find(request.path, forwardedPrefix(response));
      if (file === undefined) throw RequestError.nothingHere();
      answerWithFile(request, response, file, this.turns);
    }
  }
  return DocsController;
}
