import { entityTag, HttpResponse, matchesEntityTag } from './http-response.js';

const TAG = entityTag('[]');

describe('an entity tag', () => {
  test('is strong and quoted', () => {
    expect(TAG).toMatch(/^"[A-Za-z0-9_-]{27}"$/);
  });
});

describe('a response', () => {
  test('has a hash of its body as the tag', () => {
    expect(HttpResponse.of([], 'Link', '</a>').fields).toEqual(['ETag', TAG, 'Link', '</a>']);
  });

  test('may have a tag of its own', () => {
    const response = HttpResponse.of([], 'Link', '</a>', 'ETag', '"3"');
    expect([response.entityTag, response.fields]).toEqual(['"3"', ['Link', '</a>', 'ETag', '"3"']]);
  });
});

describe('If-None-Match', () => {
  test.each([
    ['the tag itself', TAG],
    ['the tag, marked as weak on its way', `W/${TAG}`],
    ['a list with the tag', `"a", ${TAG}`],
    ['a list without blanks', `"a",${TAG},"b"`],
    ['a list of weak tags', `W/"a", W/${TAG}`],
    ['a star', '*'],
    ['a star between blanks', ' * '],
  ])('matches with %s', (_what, value) => {
    expect(matchesEntityTag(value, TAG)).toBe(true);
  });

  test.each([
    ['nothing', ''],
    ['another tag', entityTag('[1]')],
    ['the tag without its quotes', TAG.slice(1, -1)],
    ['the beginning of the tag', `${TAG.slice(0, -2)}"`],
    ['a quoted star', '"*"'],
    ['a small w', `w/${TAG}`],
  ])('does not match with %s', (_what, value) => {
    expect(matchesEntityTag(value, TAG)).toBe(false);
  });
});
