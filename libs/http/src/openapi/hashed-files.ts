import type { HeldFile } from './held-file.js';

/** The names that a page gives the files it needs, by their own names. */
export type HashedNames = (name: string) => string;

/** What a name has of the content, as in `swagger-ui.0123456789abcdef.css`. */
const HASH_IN_NAME = /\.[0-9a-f]{16}(?=\.[a-z]{2,4}$)/;

/** As `swagger-ui.css` and what tells this content from others: `swagger-ui.0123456789abcdef.css`. */
export function hashedName(name: string, file: HeldFile): string {
  return name.replace(/(?=\.[a-z]+$)/, `.${file.contentHash}`);
}

/** A name as it is without the hash of its content. */
export function withoutHash(name: string): string {
  return name.replace(HASH_IN_NAME, '');
}
