import { CachedPage } from './page-cache.js';

function pet(id: bigint, name: string): string {
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":7,"status":"sold"}`;
}

function textOf(count: number, name = 'Rex'): CachedPage {
  const pets = Array.from({ length: count }, (_, index) => pet(BigInt(index + 1), name));
  return new CachedPage(pets.join('\x1e'), 11);
}

describe('CachedPage', () => {
  test('gives the same object for the same limit', () => {
    const text = textOf(11);
    expect(text.page(3)).toBe(text.page(3));
  });

  test('keeps a million characters of pages at most', () => {
    const pets = [1n, 2n, 3n, 4n, 5n, 6n].map((id) => pet(id, 'x'.repeat(90_000)));
    const text = new CachedPage(pets.join('\x1e'), 6);
    const first = text.page(1);
    const later = [2, 3, 4].map((limit) => text.page(limit));
    expect(text.page(1)).toBe(first);
    expect(text.page(4)).toBe(later[2]);
    text.page(5);
    expect(text.page(1)).not.toBe(first);
    expect(text.page(1)).toEqual(first);
  });

  test.each([1, 2, 9, 10])('cuts a page of %d pets out of 11', (limit) => {
    const page = textOf(11).page(limit);
    expect((JSON.parse(page.text) as { id: number }[]).map(({ id }) => id)).toEqual(
      Array.from({ length: limit }, (_, index) => index + 1),
    );
    expect(page.nextAfterId).toBe(BigInt(limit));
  });

  test('does not take a name that looks like JSON for the end of a pet', () => {
    const name = '"},{"id":99,"name":"\\"},{\\"id\\":';
    const page = textOf(3, name).page(2);
    expect(JSON.parse(page.text)).toEqual([
      { id: 1, name, categoryId: 7, status: 'sold' },
      { id: 2, name, categoryId: 7, status: 'sold' },
    ]);
  });

  test('keeps every digit of the id that the next page comes after', () => {
    const pets = [9223372036854775806n, 9223372036854775807n].map((id) => pet(id, 'a'));
    const text = new CachedPage(pets.join('\x1e'), 2);
    expect(text.page(1).nextAfterId).toBe(9223372036854775806n);
  });

  test('does not take a row inside of a row for one of the page', () => {
    const rows = [1n, 2n, 3n].map((id) => `{"id":${id},"lines":[{"id":9,"a":1},{"id":8}],"then":{"id":7}}`);
    const page = new CachedPage(rows.join('\x1e'), 3).page(2);
    expect(page).toEqual({ text: `[${rows.slice(0, 2).join(',')}]`, nextAfterId: 2n });
  });

  test('finds the id of a row that is nothing else', () => {
    expect(new CachedPage('{"id":-12}\x1e{"id":5}', 2).page(1)).toEqual({ text: '[{"id":-12}]', nextAfterId: -12n });
  });
});
