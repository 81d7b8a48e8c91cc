import type { IncomingMessage } from 'node:http';

/**
 * Brings the target of a request (RFC 9112, section 3.2) into the form that the routes know, also a proxy's
 * `GET http://host/path`.
 *
 * Node checks that there is a `Host` too, but its answer would have no body, and two hosts would pass.
 *
 * @returns what is wrong with the target or its host, in a sentence; `undefined` when it can be routed
 */
export function prepareTarget(request: IncomingMessage): string | undefined {
  if (!hasOneHost(request)) return 'The request must have exactly one Host header (RFC 9112, section 3.2)';
  const target = request.url ?? '';
  if (target.startsWith('/')) {
    if (target.includes('%')) request.url = withLiteralPercent(target);
    return undefined;
  }
  if (target === '*') return undefined;
  const url = /^https?:\/\//i.test(target) ? URL.parse(target) : null;
  if (url === null) return 'The request target is not valid (RFC 9112, section 3.2)';
  request.url = withLiteralPercent(url.pathname + url.search);
  return undefined;
}

/**
 * Takes a `%` that begins no valid escape literally, so that the address goes through the guard and the routes as any
 * other and names nothing. Express would refuse it on its way there, before the key is checked.
 */
function withLiteralPercent(target: string): string {
  const [path = '', ...query] = target.split(/(?=\?)/);
  try {
    decodeURIComponent(path);
    return target;
  } catch {
    return path.replaceAll('%', '%25') + query.join('');
  }
}

/** HTTP/1.0 knows no hosts. */
function hasOneHost({ httpVersionMinor, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersionMinor === 0);
}

/** What stands first in the address behind the version: features have addresses of their own. */
export function featureOf(request: object): string {
  return /^\/(?:v\d+\/)?([^/?]*)/.exec(targetOf(request as IncomingMessage))?.[1] ?? '';
}

/** As it came: Express changes `url` on the way through the routes. What never got there has no `originalUrl`. */
export function targetOf({ originalUrl, url = '' }: IncomingMessage & { readonly originalUrl?: string }): string {
  return originalUrl ?? url;
}
