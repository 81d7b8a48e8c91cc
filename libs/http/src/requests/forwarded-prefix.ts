import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** Segments of unreserved characters (RFC 3986, section 2.3), with or without a slash at the end. */
const PREFIX = /^(?<prefix>(?:\/[A-Za-z0-9._~-]+)+)\/?$/;

/** In characters. */
const MAX_LENGTH = 256;

/** On a response: the prefix that a trusted proxy removed from the address of the request, such as `/shop`. */
export const forwardedPrefix = Symbol('forwarded prefix');

/** A response to a request from whose address a proxy may have removed a prefix. */
export interface Prefixed {
  [forwardedPrefix]?: string | undefined;
}

/**
 * Returns a function that records the prefix of each request before it is served. The value of `X-Forwarded-Prefix` is
 * accepted only from a proxy that Express trusts. `undefined` if Express trusts no proxy.
 */
export function prefixRecorder(
  express: Express,
): ((request: IncomingMessage, response: ServerResponse) => void) | undefined {
  if (express.disabled('trust proxy')) return undefined;
  const trusts = express.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean;
  return (request, response) => {
    const sent = request.headers['x-forwarded-prefix'];
    if (sent === undefined || !trusts(request.socket.remoteAddress, 0)) return;
    const prefix = parsePrefix(String(sent));
    if (prefix !== undefined) (response as Prefixed)[forwardedPrefix] = prefix;
  };
}

/** @returns `undefined` if the text is not a prefix, or if a browser would resolve it to another address */
export function parsePrefix(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const prefix = PREFIX.exec(text)?.groups?.['prefix'];
  return prefix?.split('/').some((segment) => segment === '.' || segment === '..') === true ? undefined : prefix;
}

/** An address that is only a path. An address that begins with two slashes names a host. */
const PATH = /^\/(?!\/)/;

/** The beginning of each link whose address is only a path (RFC 8288, section 3). */
const LINKED_PATH = /(?<before>^|,)(?<blanks>[ \t]*)<(?=\/(?!\/))/g;

/** Puts the prefix that a proxy removed in front of the addresses in the header fields of a response. */
export function addPrefix(response: ServerResponse, prefix: string): void {
  const location = response.getHeader('Location');
  if (location !== undefined) response.setHeader('Location', String(location).replace(PATH, `${prefix}/`));
  const links = response.getHeader('Link');
  if (links === undefined) return;
  const prefixed = [links].flat().map((link) => String(link).replace(LINKED_PATH, `$<before>$<blanks><${prefix}`));
  response.setHeader('Link', prefixed);
}
