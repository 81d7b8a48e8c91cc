import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADVISORY_LOCKS } from './advisory-locks.js';

/** The sources of the libraries and applications, but for the registry itself. */
function sources(): { readonly file: string; readonly text: string }[] {
  const root = join(import.meta.dirname, '../../../..');
  return ['libs', 'apps'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!spec)[.]ts$/.test(file) && !file.includes('advisory-locks'))
      .map((file) => ({ file, text: readFileSync(join(root, folder, file), 'utf8') })),
  );
}

describe('an advisory lock', () => {
  test('has a number of its own', () => {
    const numbers = Object.values(ADVISORY_LOCKS);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  test('is taken by no number that the registry does not know', () => {
    const taken = sources().filter(({ text }) => /advisory\w*\(\s*\d/.test(text) || /\b7_?381_?\d{3}\b/.test(text));
    expect(taken.map(({ file }) => file)).toEqual([]);
  });
});
