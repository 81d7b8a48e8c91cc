import { parseDuration, parseExpiresIn } from './keys-options.js';

const NOW = new Date('2026-11-21T12:00:00Z');

describe('a duration', () => {
  test.each([
    ['0s', 0],
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['24h', 86_400_000],
    ['90d', 7_776_000_000],
    ['2w', 1_209_600_000],
    ['007d', 604_800_000],
    ['36500d', 3_153_600_000_000],
  ])('may be %s', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  test.each(['', '90', 'd', '-1d', '+1d', '1.5h', '1e3s', ' 1d', '1d ', '1 d', '90 days', '1D', '1y', '0x1d', '١d'])(
    'may not be %j',
    (text) => {
      expect(() => parseDuration(text)).toThrow('A number and a unit (s, m, h, d or w) are expected');
    },
  );

  test.each(['36501d', '999999999999w'])('may not be as long as %s', (text) => {
    expect(() => parseDuration(text)).toThrow('At most 100 years');
  });
});

describe('the time until the expiry', () => {
  test('counts from now', () => {
    expect(parseExpiresIn('90d', NOW)).toEqual(new Date('2027-02-19T12:00:00Z'));
  });

  test('may be never', () => {
    expect(parseExpiresIn('never', NOW)).toBeNull();
  });

  test('may not be nothing', () => {
    expect(() => parseExpiresIn('0d', NOW)).toThrow('More than nothing is expected');
  });
});
