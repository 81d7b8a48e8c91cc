import type { Request, Response } from 'express';
import { ExpressAdapter } from '@nestjs/platform-express';
import { Answer } from './answer.js';
import { entityTag, matchesEntityTag } from './entity-tag.js';
import { stringifyExactJson } from './exact-json.js';
import { writeAnswer } from './write-answer.js';

/** Express under Nest, with answers written as the contract wants them: exact integers, a strong `ETag`, 304. */
export class JsonExpressAdapter extends ExpressAdapter {
  /** Called by Nest with what a handler returned. */
  override reply(response: Response, result: unknown, status = response.statusCode): void {
    const request: Request = response.req;
    const { body, headers } = result instanceof Answer ? (result as Answer<unknown>) : { body: result, headers: {} };
    if (body === undefined) {
      writeAnswer(request, response, status, headers);
      return;
    }
    const text = stringifyExactJson(body);
    const tag = entityTag(text);
    const tagged = { ...headers, ETag: tag };
    if (isConditional(request, status) && matchesEntityTag(request.headers['if-none-match'] ?? '', tag)) {
      writeAnswer(request, response, 304, tagged);
    } else {
      writeAnswer(request, response, status, tagged, text);
    }
  }
}

function isConditional(request: Request, status: number): boolean {
  return status === 200 && (request.method === 'GET' || request.method === 'HEAD');
}
