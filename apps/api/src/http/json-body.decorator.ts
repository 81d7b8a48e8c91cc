import { isUtf8 } from 'node:buffer';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RequestError } from '../errors/request.errors.js';
import { parseExactJson, RepeatedMemberError } from './exact-json.js';
import { hasBody, readBody, type BodyLimits } from './read-body.js';
import { askForBody } from './unread-body.js';

/** `application/json`, alone or with the one charset that JSON has (RFC 8259, section 8.1). */
const JSON_MEDIA_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?;?[ \t]*$/i;

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
  if (!JSON_MEDIA_TYPE.test(request.headers['content-type'] ?? '')) throw RequestError.unsupportedMediaType();

  return readBody(request, request.app.get(BODY_LIMITS_SETTING) as BodyLimits, () => {
    askForBody(request, response);
  }).then((bytes) => parse(decode(bytes)));
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw RequestError.invalid(['The body is not valid UTF-8']);
  const text = bytes.toString('utf8');
  // A byte order mark may be ignored (RFC 8259, section 8.1).
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function parse(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    if (error instanceof RepeatedMemberError) throw RequestError.invalid([error.message]);
    const position = error instanceof SyntaxError ? /position \d+/.exec(error.message)?.[0] : undefined;
    throw RequestError.invalid([`The body is not valid JSON${position === undefined ? '' : `, from ${position} on`}`]);
  }
}
