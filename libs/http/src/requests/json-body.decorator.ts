import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RequestError } from '../errors/request.errors.js';
import { parseJsonBody } from '../json/json-body.js';
import { isJsonMediaType } from '../json/json-media-type.js';
import { hasBody, readBody, type BodyLimits } from './read-body.js';
import { askForBody } from './unread-body.js';

/** The Express setting that holds the {@link BodyLimits}. */
export const BODY_LIMITS_SETTING = 'body limits';

/**
 * The body of the request, parsed from JSON.
 *
 * It is read here, as a parameter of the handler, and not by a middleware: parameters are resolved after the guard
 * let the request in, so that no byte of a stranger's body is read.
 */
export const JsonBody = createParamDecorator((_: unknown, context: ExecutionContext) => {
  // Without `switchToHttp()`, which makes functions anew for each body.
  const [request, response] = context.getArgs<[Request, Response]>();
  return readJsonBody(request, response);
});

function readJsonBody(request: Request, response: Response): Promise<unknown> {
  if (!hasBody(request)) throw RequestError.invalid(['A body is required: send a JSON object']);
  if (!isJsonMediaType(request.headers['content-type'] ?? '')) throw RequestError.unsupportedMediaType();

  return readBody(request, request.app.get(BODY_LIMITS_SETTING) as BodyLimits, () => {
    askForBody(request, response);
  }).then(parseJsonBody);
}
