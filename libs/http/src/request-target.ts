import type { IncomingMessage } from 'node:http';

/** The scheme and the host of a target in absolute form (RFC 9112, section 3.2.2). What follows is taken as it is. */
const ORIGIN = /^https?:\/\/(?:[^/?#@:[\]\\]+|\[[0-9a-f:.]+\])(?::[0-9]*)?(?=[/?]|$)/i;

/**
 * Converts the target of a request (RFC 9112, section 3.2) to the form that the routes expect, including a proxy's `GET
 * http://host/path`. Dot segments stay as they are, as in every other form: a proxy's rule for a path has seen them too.
 *
 * Node checks `Host` too, but its response has no body, and it accepts two hosts.
 *
 * @returns a sentence that says what is wrong with the target or its host; `undefined` if the request can be routed
 */
export function prepareTarget(request: IncomingMessage): string | undefined {
  if (!hasOneHost(request)) return 'The request must have exactly one Host header (RFC 9112, section 3.2)';
  const target = request.url ?? '';
  if (target.startsWith('/')) {
    if (target.includes('%')) request.url = withLiteralPercent(target);
    return undefined;
  }
  if (target === '*') return undefined;
  const origin = ORIGIN.exec(target)?.[0];
  if (origin === undefined)
    return 'The request target is not valid (RFC 9112, section 3.2): send a path that begins with /';
  const rest = target.slice(origin.length);
  request.url = withLiteralPercent(rest.startsWith('/') ? rest : `/${rest}`);
  return undefined;
}

/**
 * Escapes every `%` of a path that has an invalid escape, so that the address passes the guard and the routes like any
 * other address and is unknown. Express would refuse it earlier, before the key is checked.
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

/** A request of HTTP/1.0 may have no host. */
function hasOneHost({ httpVersionMinor, rawHeaders }: IncomingMessage): boolean {
  const isHost = (text: string, at: number) => at % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';
  const hosts = rawHeaders.filter(isHost).length;
  return hosts === 1 || (hosts === 0 && httpVersionMinor === 0);
}
