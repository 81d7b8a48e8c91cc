import type { HeldFile } from './held-file.js';

/** Maps the name of a file to the name that a page uses for it. */
export type HashedNames = (name: string) => string;

/** The part of a name that identifies the content, as in `swagger-ui.0123456789abcdef.css`. */
const HASH_IN_NAME = /\.[0-9a-f]{16}(?=\.[a-z]{2,4}$)/;

/** Adds the hash of the content to the name of a file: `swagger-ui.0123456789abcdef.css`. */
export function hashedName(name: string, file: HeldFile): string {
  return name.replace(/(?=\.[a-z]+$)/, `.${file.contentHash}`);
}

/** Removes the hash of the content from a name. */
export function withoutHash(name: string): string {
  return name.replace(HASH_IN_NAME, '');
}
