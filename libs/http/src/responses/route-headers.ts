import type { IncomingMessage } from 'node:http';
import type { HeaderFields } from './http-response.js';

const routeHeaders = Symbol('route headers');

interface WithRouteHeaders {
  [routeHeaders]?: HeaderFields;
}

/** Sets the header fields of the route on its request, before any response to it is written. */
export function setRouteHeaders(request: IncomingMessage, fields: HeaderFields): void {
  (request as WithRouteHeaders)[routeHeaders] = fields;
}

/** The header fields that announce the deprecation of the route; `undefined` if the route is not deprecated. */
export function routeHeadersOf(request: IncomingMessage): HeaderFields | undefined {
  return (request as WithRouteHeaders)[routeHeaders];
}
