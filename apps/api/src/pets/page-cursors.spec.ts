import fc from 'fast-check';
import { PET_STATUSES, type PetStatus } from '@animal-store/pets-domain';
import { RequestError } from '@animal-store/http';
import { PageCursors } from './page-cursors.js';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const filter = fc.constantFrom(undefined, ...PET_STATUSES);
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

function isRefused(cursor: string, status: PetStatus | undefined): Promise<boolean> {
  return cursors.decode(cursor, status).then(
    () => false,
    (error: unknown) => error instanceof RequestError,
  );
}

describe('a cursor', () => {
  test('leads back to the animal that it was made for', async () => {
    await fc.assert(
      fc.asyncProperty(int64, filter, async (id, status) => {
        expect(await cursors.decode(await cursors.encode(id, status), status)).toBe(id);
      }),
    );
  });

  test('is made of characters that need no escape in an address', async () => {
    expect(await cursors.encode(2n ** 63n - 1n, 'sold')).toMatch(/^[A-Za-z0-9_-]{35}$/);
  });

  test('is understood by every instance that has the same key', async () => {
    expect(await cursorsWith('key').decode(await cursors.encode(7n, 'sold'), 'sold')).toBe(7n);
  });

  test('is refused under every other filter', async () => {
    await fc.assert(
      fc.asyncProperty(int64, filter, filter, async (id, made, used) => {
        fc.pre(made !== used);
        expect(await isRefused(await cursors.encode(id, made), used)).toBe(true);
      }),
    );
  });

  test('is refused when any one of its characters is another one', async () => {
    await fc.assert(
      fc.asyncProperty(int64, filter, fc.nat(34), base64url, async (id, status, at, character) => {
        const cursor = await cursors.encode(id, status);
        fc.pre(cursor[at] !== character);
        expect(await isRefused(cursor.slice(0, at) + character + cursor.slice(at + 1), status)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('is refused when its last character is any other one, although that holds only two bits', async () => {
    const cursor = await cursors.encode(7n, undefined);
    const others = ALPHABET.map((last) => cursor.slice(0, -1) + last).filter((other) => other !== cursor);
    expect(await Promise.all(others.map((other) => isRefused(other, undefined)))).toEqual(Array(63).fill(true));
  });

  test('is refused with anything before, behind or in the middle of it', async () => {
    const cursor = await cursors.encode(7n, undefined);
    await fc.assert(
      fc.asyncProperty(fc.nat(35), fc.string({ minLength: 1, maxLength: 4 }), async (at, more) => {
        expect(await isRefused(cursor.slice(0, at) + more + cursor.slice(at), undefined)).toBe(true);
      }),
    );
  });

  test('is refused when it was signed with another key', async () => {
    const forged = await cursorsWith('another key').encode(7n, undefined);
    expect(await isRefused(forged, undefined)).toBe(true);
  });

  test('is refused when it is no cursor at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: character, maxLength: 60 }), async (text) => {
        expect(await isRefused(text, undefined)).toBe(true);
      }),
    );
  });

  test('is refused in words that say how to go on', async () => {
    await expect(cursors.decode('x', undefined)).rejects.toThrow(
      'cursor must be used exactly as a Link header gave it, with the same status: follow the link, or start again without cursor',
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
    await Promise.all([subject.encode(1n, undefined), subject.encode(2n, undefined)]);
    await subject.encode(3n, undefined);
    expect(loads).toBe(1);
  });

  test('is not needed before the first cursor', () => {
    expect(() => new PageCursors(() => Promise.reject(new Error('The database is away')))).not.toThrow();
  });

  test('is loaded again after the loading failed', async () => {
    let loads = 0;
    const subject = new PageCursors(() => {
      loads++;
      return loads === 1 ? Promise.reject(new Error('The database is away')) : Promise.resolve(Buffer.alloc(32));
    });
    await subject.encode(1n, undefined).catch(() => undefined);
    expect(await subject.decode(await subject.encode(1n, undefined), undefined)).toBe(1n);
  });

  test('passes the failure of its loading on, so that it is not taken for a bad cursor', async () => {
    const failure = new Error('The database is away');
    const genuine = await cursors.encode(1n, undefined);
    const subject = new PageCursors(() => Promise.reject(failure));
    await expect(subject.decode(genuine, undefined)).rejects.toBe(failure);
  });
});
