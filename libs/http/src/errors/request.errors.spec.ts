import fc from 'fast-check';
import { bounded, excerpt } from './request.errors.js';

const more = (left: string) => `; and ${left} more`;

describe('a message of many parts', () => {
  test('has them all where they are few', () => {
    expect(bounded(['a', 'b'], '; ', more)).toBe('a; b');
  });

  test('has the first 20, and says how many there are beside', () => {
    const parts = Array.from({ length: 1_254 }, (_, index) => `part ${index}`);
    expect(bounded(parts, '; ', more)).toBe(`${parts.slice(0, 20).join('; ')}; and 1,234 more`);
  });

  test('counts parts that nobody made', () => {
    expect(bounded(['a'], '; ', more, 3)).toBe('a; and 2 more');
  });

  test('is never longer than 8 kB of JSON, whatever the names in it are', () => {
    const names = fc.string({ unit: fc.constantFrom('\u0001', '"', '\\', 'ä', '\u{1F980}', '\ud800'), minLength: 70 });
    fc.assert(
      fc.property(fc.array(names, { minLength: 15, maxLength: 30 }), (list) => {
        const parts = list.map((name) => `unknown member ${JSON.stringify(excerpt(name))}: allowed are a, b`);
        expect(Buffer.byteLength(JSON.stringify(bounded(parts, '; ', more)))).toBeLessThan(8_000);
      }),
    );
  });
});

describe('an excerpt of a name', () => {
  test.each(['', 'name', 'x'.repeat(64), '\u{1F980}'.repeat(64)])('is the name where it is short: %j', (name) => {
    expect(excerpt(name)).toBe(name);
  });

  test.each(['x', '\u{1F980}'])('is its first 64 code points where it is not: %s', (character) => {
    expect(excerpt(character.repeat(65))).toBe(`${character.repeat(64)}…`);
  });
});
