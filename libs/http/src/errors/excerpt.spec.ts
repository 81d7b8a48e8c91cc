import { excerpt } from './excerpt.js';

describe('an excerpt of a name', () => {
  test.each(['', 'name', 'x'.repeat(64), '\u{1F980}'.repeat(64)])('is the name where it is short: %j', (name) => {
    expect(excerpt(name)).toBe(name);
  });

  test.each(['x', '\u{1F980}'])('is its first 64 code points where it is not: %s', (character) => {
    expect(excerpt(character.repeat(65))).toBe(`${character.repeat(64)}…`);
  });
});
