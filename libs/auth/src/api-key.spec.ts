import fc from 'fast-check';
import { generateApiKey, hashApiKey, isWellFormedApiKey } from './api-key.js';

const prefixes = fc.stringMatching(/^[a-z][a-z0-9]{1,15}$/);

describe('a generated API key', () => {
  test('names its environment, then has 31 random characters and a checksum of 7', () => {
    expect(generateApiKey('asdev')).toMatch(/^asdev_[0-9a-z]{31}_[0-9a-z]{7}$/);
  });

  test('is well-formed, whatever its prefix', () => {
    fc.assert(
      fc.property(prefixes, (prefix) => {
        expect(isWellFormedApiKey(generateApiKey(prefix))).toBe(true);
      }),
    );
  });
});

describe('a mistyped API key', () => {
  test('is told by its checksum when one character is another one', () => {
    const typo = fc.record({
      at: fc.nat(44),
      character: fc.constantFrom(...Array.from('0123456789abcdefghijklmnopqrstuvwxyz_-A')),
    });
    fc.assert(
      fc.property(typo, ({ at, character }) => {
        const key = generateApiKey('asdev');
        fc.pre(key[at] !== character);
        expect(isWellFormedApiKey(key.slice(0, at) + character + key.slice(at + 1))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test.each(['', '_', '__', 'asdev', 'asdev__', 'a-key-for-tests-only'])('is told from %j', (text) => {
    expect(isWellFormedApiKey(text)).toBe(false);
  });

  test.each([
    ['a line break behind it', (key: string) => `${key}\n`],
    ['a blank before it', (key: string) => ` ${key}`],
    ['capital letters', (key: string) => key.toUpperCase()],
  ])('is told by %s', (_what, change) => {
    expect(isWellFormedApiKey(change(generateApiKey('asdev')))).toBe(false);
  });
});

describe('the hash of an API key', () => {
  test('is its SHA-256 in hexadecimal digits', () => {
    expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
