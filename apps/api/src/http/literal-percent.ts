import type { RequestHandler } from 'express';

/**
 * Takes a `%` that begins no valid escape literally, so that the address goes through the guard and the routes as any
 * other and names nothing. Express would refuse it on its way there, before the key is checked.
 */
export const literalPercent: RequestHandler = (request, _response, next) => {
  const { url } = request;
  const queryAt = url.indexOf('?');
  const path = queryAt === -1 ? url : url.slice(0, queryAt);
  if (path.includes('%') && !isDecodable(path)) {
    request.url = path.replaceAll('%', '%25') + (queryAt === -1 ? '' : url.slice(queryAt));
  }
  next();
};

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
