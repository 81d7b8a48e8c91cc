import type { IncomingMessage } from 'node:http';

/**
 * What is wrong with the address of a request, in a sentence; `undefined` when it can be routed. A proxy's absolute form
 * (`GET http://host/path`) is brought into the form that the routes know.
 *
 * Node checks that there is a `Host` too, but its answer would have no body, and two hosts would pass.
 */
export function faultOfAddress(request: IncomingMessage): string | undefined {
  if (!hasOneHost(request)) return 'The request must have exactly one Host header (RFC 9112, section 3.2)';
  const target = request.url ?? '';
  if (target.startsWith('/') || target === '*') return undefined;
  const url = /^https?:\/\//i.test(target) ? URL.parse(target) : null;
  if (url === null) return 'The request target is not valid (RFC 9112, section 3.2)';
  request.url = url.pathname + url.search;
  return undefined;
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
