import { createServer } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { Answer, NO_FIELDS } from './answer.js';
import { matchesEntityTag } from './entity-tag.js';
import { expressMessages } from './express-messages.js';
import { writeAnswer } from './write-answer.js';

/** Express under Nest, with answers written as the contract wants them: exact integers, a strong `ETag`, 304. */
export class JsonExpressAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    const express = this.getInstance<Express>();
    this.httpServer = createServer(expressMessages(express), express);
  }

  /** Called by Nest with what a handler returned. */
  override reply(response: Response, result: unknown, status = response.statusCode): void {
    const request: Request = response.req;
    if (result === undefined) {
      writeAnswer(request, response, status, NO_FIELDS);
      return;
    }
    const answer = result instanceof Answer ? result : Answer.of(result);
    const ifNoneMatch = status === 200 ? request.headers['if-none-match'] : undefined;
    if (ifNoneMatch !== undefined && isRead(request) && matchesEntityTag(ifNoneMatch, answer.entityTag)) {
      writeAnswer(request, response, 304, answer.fields);
    } else {
      writeAnswer(request, response, status, answer.fields, answer.body);
    }
  }
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}
