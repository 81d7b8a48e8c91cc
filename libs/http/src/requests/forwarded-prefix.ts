import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** Segments of characters that mean nothing else in an address (RFC 3986, section 2.3), with or without a slash at the end. */
const PREFIX = /^(?<prefix>(?:\/[A-Za-z0-9._~-]+)+)\/?$/;

/** In characters. */
const MAX_LENGTH = 256;

const prefixKey = Symbol('forwarded prefix');

/** A response to a request from whose address a proxy took a prefix off. */
interface Prefixed {
  [prefixKey]?: string | undefined;
}

/**
 * What a proxy took off the address of the request that is answered, as in `/shop`, where that is to be believed;
 * `undefined` elsewhere.
 */
export function forwardedPrefix(response: ServerResponse): string | undefined {
  return (response as Prefixed)[prefixKey];
}

/**
 * Makes what notes the prefix of each request before it is served: the value of `X-Forwarded-Prefix`, believed only of a
 * proxy that Express trusts. `undefined` where it trusts none: then there is nothing to do for a request.
 */
export function prefixNoter(
  express: Express,
): ((request: IncomingMessage, response: ServerResponse) => void) | undefined {
  if (express.disabled('trust proxy')) return undefined;
  const trusts = express.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean;
  return (request, response) => {
    const sent = request.headers['x-forwarded-prefix'];
    if (sent === undefined || !trusts(request.socket.remoteAddress, 0)) return;
    const prefix = parsePrefix(String(sent));
    if (prefix !== undefined) (response as Prefixed)[prefixKey] = prefix;
  };
}

/** @returns `undefined` for what is no prefix, also for one that a browser would resolve to something else */
export function parsePrefix(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const prefix = PREFIX.exec(text)?.groups?.['prefix'];
  return prefix?.split('/').some((segment) => segment === '.' || segment === '..') === true ? undefined : prefix;
}
