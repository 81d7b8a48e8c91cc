import { validateSync } from 'class-validator';
import { IsDateTime, IsText } from './field-rules.decorators.js';

class Note {
  @IsText(1, 5)
  readonly text: unknown;

  @IsDateTime()
  readonly at: unknown;

  constructor(text: unknown, at: unknown = '2026-12-24T10:00:00Z') {
    this.text = text;
    this.at = at;
  }
}

function violations(note: Note): string[] {
  return validateSync(note).flatMap(({ constraints = {} }) => Object.values(constraints));
}

describe('IsText', () => {
  test.each(['a', 'abcde', '\u{1F98A}'.repeat(5), ' ', '"\n'])('takes %j', (text) => {
    expect(violations(new Note(text))).toEqual([]);
  });

  test.each(['', 'abcdef', '\u{1F98A}'.repeat(6), 'x'.repeat(100), 7, null, {}, ['a']])('refuses %j', (text) => {
    expect(violations(new Note(text))).toEqual(['text must be a string of 1 to 5 characters']);
  });

  test('says that it is missing', () => {
    expect(violations(new Note(undefined))).toEqual(['text is required and must be a string of 1 to 5 characters']);
  });

  test.each(['a\0b', '\ud800', 'a\udc00'])('refuses %j, which the database would not keep', (text) => {
    expect(violations(new Note(text))).toEqual(['text must have neither NUL nor half of a surrogate pair']);
  });
});

describe('IsDateTime', () => {
  test.each([
    '2026-12-24T10:00:00Z',
    '2026-12-24T10:00:00.123456Z',
    '2024-02-29T23:59:59+14:00',
    '9999-12-31T23:59:59.999Z',
    '0001-01-01T00:00:00Z',
    '0099-12-31T23:59:59.999Z',
  ])('takes %s', (at) => {
    expect(violations(new Note('a', at))).toEqual([]);
  });

  test.each([
    '2026-12-24',
    '2026-12-24T10:00:00',
    '2026-12-24 10:00:00Z',
    '2026-02-29T10:00:00Z',
    '0099-02-29T10:00:00Z',
    '2026-04-31T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-12-24T10:00:60Z',
    '2026-12-24T24:00:00Z',
    '2026-12-24T10:00:00+25:00',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-01:00',
    '10000-01-01T00:00:00Z',
    'tomorrow',
    '',
    1_798_000_000_000,
    null,
    new Date(),
  ])('refuses %p', (at) => {
    expect(violations(new Note('a', at))).toEqual([
      'at must be a date and time such as 2026-12-24T10:00:00Z, of the years 1 to 9999',
    ]);
  });
});
