import type { NextFunction, Request, Response } from 'express';
import { announce } from '../http/write-answer.js';

/** When getPet was deprecated: 20 November 2026 (RFC 9745: seconds since 1970). */
const DEPRECATED_AT = Date.UTC(2026, 10, 20) / 1000;
/** When it will be removed (RFC 8594). */
const REMOVED_AT = new Date(Date.UTC(2030, 11, 5)).toUTCString();

const ANNOUNCEMENT = [
  ...['Deprecation', `@${DEPRECATED_AT}`],
  ...['Sunset', REMOVED_AT],
  ...['Link', '</v1/pets>; rel="successor-version"'],
];

/** Announces on every answer of getPet, refusals included, that it will be removed. A middleware, as it must come before the guard. */
export function getPetDeprecation(_request: Request, response: Response, next: NextFunction): void {
  announce(response, ANNOUNCEMENT);
  next();
}
