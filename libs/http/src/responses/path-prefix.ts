import type { ServerResponse } from 'node:http';

/** An address that is only a path. An address that begins with two slashes names a host. */
const PATH = /^\/(?!\/)/;

/** The beginning of each link whose address is only a path (RFC 8288, section 3). */
const LINKED_PATH = /(?<before>^|,)(?<blanks>[ \t]*)<(?=\/(?!\/))/g;

/** Puts the prefix that a proxy removes from addresses before those in the header fields of a response. */
export function addPathPrefix(response: ServerResponse, prefix: string): void {
  const location = response.getHeader('Location');
  if (location !== undefined) response.setHeader('Location', String(location).replace(PATH, `${prefix}/`));
  const links = response.getHeader('Link');
  if (links === undefined) return;
  const prefixed = [links].flat().map((link) => String(link).replace(LINKED_PATH, `$<before>$<blanks><${prefix}`));
  response.setHeader('Link', prefixed);
}
