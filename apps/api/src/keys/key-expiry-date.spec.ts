import { parseExpiresAt } from './key-expiry-date.js';
import { LifetimeError } from './lifetime.error.js';

const NOW = new Date('2026-11-21T12:00:00Z');

describe('the date of the expiry', () => {
  test.each([
    ['2027-02-28', '2027-02-28T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2027-02-28T18:00Z', '2027-02-28T18:00:00.000Z'],
    ['2027-02-28T18:00:30+01:00', '2027-02-28T17:00:30.000Z'],
    ['2026-11-21T12:00:00.001Z', '2026-11-21T12:00:00.001Z'],
  ])('may be %s', (text, instant) => {
    expect(parseExpiresAt(text, NOW).toISOString()).toBe(instant);
  });

  test.each([
    '2027-02-30',
    '2027-02-29',
    '2027-13-01',
    '2027-00-10',
    '2027-01-00',
    '2027-04-31T10:00:00Z',
    '2027-02-28T25:00:00Z',
    '2027-02-28T10:61:00Z',
  ])('may not be %s, which does not exist', (text) => {
    expect(() => parseExpiresAt(text, NOW)).toThrow('There is no such date or time.');
  });

  test.each(['', 'tomorrow', '28.02.2027', '2027-2-8', '20270228', '2027-02-28T18:00:00', '2027-02-28 18:00Z', '90d'])(
    'may not be %j, which is no date in that form',
    (text) => {
      expect(() => parseExpiresAt(text, NOW)).toThrow('A date such as 2027-02-28');
    },
  );

  test.each(['2026-11-21', '2026-11-21T12:00:00Z', '2020-01-01'])('may not be %s, which is past', (text) => {
    expect(() => parseExpiresAt(text, NOW)).toThrow('It is past already');
  });

  test('may not be further away than a typing error explains', () => {
    expect(() => parseExpiresAt('9999-01-01', NOW)).toThrow(LifetimeError);
  });
});
