import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const DOCS = join(import.meta.dirname, '../../docs');

/** The codes in this text with their statuses, in order. */
function codesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, code, status]) => `${code} ${status}`).sort();
}

/** A code of a module is explained in the document itself, as `- `code` (409): meaning`. */
test('docs/api/errors.md has a section for each code that every application has, with its status', () => {
  const document = parse(readFileSync(join(DOCS, 'openapi.yaml'), 'utf8')) as {
    components: { schemas: { Error: { properties: { code: { description: string } } } } };
  };
  const { description } = document.components.schemas.Error.properties.code;
  const sections = codesIn(readFileSync(join(DOCS, 'api/errors.md'), 'utf8'), /^##+ ([a-z_]+)\n\n\*\*(\d+)\.\*\*/gm);
  expect(sections).toEqual(expect.arrayContaining(codesIn(description, /`([a-z_]+)`\s+\((\d+)\)(?!:)/g)));
});
