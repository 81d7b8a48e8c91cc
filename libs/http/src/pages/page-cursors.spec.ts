import fc from 'fast-check';
import { PageCursors } from './page-cursors.js';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const SCOPES = ['["/v1/pets"]', '["/v1/pets",["status","sold"]]', '["/v1/orders"]', ''];
const scopes = fc.constantFrom(...SCOPES);
const SCOPE = SCOPES[1]!;
const ALPHABET = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
const base64url = fc.constantFrom(...ALPHABET);
/** Any character that Unicode knows, one code point each. */
const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint));

function cursorsWith(key: string): PageCursors {
  return new PageCursors(() => Promise.resolve(Buffer.from(key.padEnd(32, '.'))));
}

const cursors = cursorsWith('key');

async function isRefused(cursor: string, scope: string): Promise<boolean> {
  return (await cursors.decode(cursor, scope)) === undefined;
}

describe('a cursor', () => {
  test('leads back to the item that it was made for', async () => {
    await fc.assert(
      fc.asyncProperty(int64, scopes, async (id, scope) => {
        expect(await cursors.decode(await cursors.encode(id, scope), scope)).toBe(id);
      }),
    );
  });

  test('is made of characters that need no escape in an address', async () => {
    expect(await cursors.encode(2n ** 63n - 1n, SCOPE)).toMatch(/^[A-Za-z0-9_-]{34}$/);
  });

  test('is understood by every instance that has the same key', async () => {
    expect(await cursorsWith('key').decode(await cursors.encode(7n, SCOPE), SCOPE)).toBe(7n);
  });

  test('is refused in every other scope', async () => {
    await fc.assert(
      fc.asyncProperty(int64, scopes, scopes, async (id, made, used) => {
        fc.pre(made !== used);
        expect(await isRefused(await cursors.encode(id, made), used)).toBe(true);
      }),
    );
  });

  test('is refused when any one of its characters is another one', async () => {
    await fc.assert(
      fc.asyncProperty(int64, scopes, fc.nat(33), base64url, async (id, scope, at, character) => {
        const cursor = await cursors.encode(id, scope);
        fc.pre(cursor[at] !== character);
        expect(await isRefused(cursor.slice(0, at) + character + cursor.slice(at + 1), scope)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('is refused when its last character is any other one, although that holds only four bits', async () => {
    const cursor = await cursors.encode(7n, SCOPE);
    const others = ALPHABET.map((last) => cursor.slice(0, -1) + last).filter((other) => other !== cursor);
    expect(await Promise.all(others.map((other) => isRefused(other, SCOPE)))).toEqual(Array(63).fill(true));
  });

  test('is refused with anything before, behind or in the middle of it', async () => {
    const cursor = await cursors.encode(7n, SCOPE);
    await fc.assert(
      fc.asyncProperty(fc.nat(34), fc.string({ minLength: 1, maxLength: 4 }), async (at, more) => {
        expect(await isRefused(cursor.slice(0, at) + more + cursor.slice(at), SCOPE)).toBe(true);
      }),
    );
  });

  test('is refused when it was signed with another key', async () => {
    const forged = await cursorsWith('another key').encode(7n, SCOPE);
    expect(await isRefused(forged, SCOPE)).toBe(true);
  });

  test('is refused when it is no cursor at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: character, maxLength: 60 }), async (text) => {
        expect(await isRefused(text, SCOPE)).toBe(true);
      }),
    );
  });
});

describe('the key of the cursors', () => {
  test('is loaded once, also for cursors that are made at the same time', async () => {
    let loads = 0;
    const subject = new PageCursors(() => {
      loads++;
      return Promise.resolve(Buffer.alloc(32));
    });
    await Promise.all([subject.encode(1n, SCOPE), subject.encode(2n, SCOPE)]);
    await subject.encode(3n, SCOPE);
    expect(loads).toBe(1);
  });

  test('is loaded again after the loading failed', async () => {
    let loads = 0;
    const subject = new PageCursors(() => {
      loads++;
      return loads === 1 ? Promise.reject(new Error('The database is away')) : Promise.resolve(Buffer.alloc(32));
    });
    await subject.encode(1n, SCOPE).catch(() => undefined);
    expect(await subject.decode(await subject.encode(1n, SCOPE), SCOPE)).toBe(1n);
  });

  test('passes the failure of its loading on, so that it is not taken for a bad cursor', async () => {
    const failure = new Error('The database is away');
    const genuine = await cursors.encode(1n, SCOPE);
    const subject = new PageCursors(() => Promise.reject(failure));
    await expect(subject.decode(genuine, SCOPE)).rejects.toBe(failure);
  });
});
