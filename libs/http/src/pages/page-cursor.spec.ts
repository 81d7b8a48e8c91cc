import fc from 'fast-check';
import { decodeCursor, encodeCursor } from './page-cursor.js';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const SCOPES = ['["/v1/pets"]', '["/v1/pets",["status","sold"]]', '["/v1/orders"]', ''];
const scopes = fc.constantFrom(...SCOPES);
const SCOPE = SCOPES[1]!;
const ALPHABET = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');

describe('a cursor', () => {
  test('leads back to the item that it was made for, in its scope only', () => {
    fc.assert(
      fc.property(int64, scopes, scopes, (id, made, used) => {
        expect(decodeCursor(encodeCursor(id, made), used)).toBe(made === used ? id : undefined);
      }),
    );
  });

  test('is made of 18 characters that need no escape in an address', () => {
    fc.assert(
      fc.property(int64, (id) => {
        expect(encodeCursor(id, SCOPE)).toMatch(/^[A-Za-z0-9_-]{18}$/);
      }),
    );
  });

  test('is refused when any one of its characters is another one', () => {
    const cursor = encodeCursor(9007199254740993n, SCOPE);
    const others = Array.from(cursor).flatMap((own, at) =>
      ALPHABET.filter((other) => other !== own).map((other) => cursor.slice(0, at) + other + cursor.slice(at + 1)),
    );
    expect(others.filter((other) => decodeCursor(other, SCOPE) !== undefined)).toEqual([]);
  });

  test.each(['', ' ', 'x', '\u{1F98A}', '='])('is refused with more than it has: %j', (more) => {
    const cursor = encodeCursor(7n, SCOPE);
    for (const at of [0, 9, 18])
      expect(decodeCursor(cursor.slice(0, at) + more + cursor.slice(at), SCOPE)).toBe(more === '' ? 7n : undefined);
  });

  test('is refused when it is no cursor at all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(decodeCursor(text, SCOPE)).toBeUndefined();
      }),
    );
  });

  test('of another length is refused before anything is made of it', () => {
    const from = import.meta.jest.spyOn(Buffer, 'from');
    expect(decodeCursor('A'.repeat(16_000), SCOPE)).toBeUndefined();
    const calls = from.mock.calls.length;
    from.mockRestore();
    expect(calls).toBe(0);
  });
});
