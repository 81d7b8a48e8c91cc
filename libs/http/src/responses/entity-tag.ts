import { hash } from 'node:crypto';

/** A strong entity tag (RFC 9110, section 8.8.3): the same for equal bytes, different for different bytes. */
export function entityTag(body: string | Buffer): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
}

/**
 * Whether the client has the current version, so that the response is 304.
 *
 * @param ifNoneMatch the value of `If-None-Match`: `*`, or a list of tags, compared weakly (RFC 9110, section 13.1.2)
 */
export function matchesEntityTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
}
