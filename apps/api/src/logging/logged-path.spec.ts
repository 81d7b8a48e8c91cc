import { generateApiKey } from '@animal-store/auth';
import { loggedPath } from './logged-path.js';

const KEY = generateApiKey('test');

describe('of the target of a request, the log tells', () => {
  test.each([
    ['/v1/pets', '/v1/pets'],
    ['/v1/pets?status=sold', '/v1/pets'],
    ['/?', '/'],
    ['*', '*'],
    [`/v1/pets?api_key=${KEY}`, '/v1/pets'],
    [`/${'a'.repeat(255)}`, `/${'a'.repeat(255)}`],
    [`/${'a'.repeat(256)}`, `/${'a'.repeat(255)}…`],
    [`/${'a'.repeat(300)}?b`, `/${'a'.repeat(255)}…`],
    [`/v1/pets/${KEY}`, '/v1/pets/<key>'],
    [`/v1/pets/${KEY.toUpperCase()}/x`, '/v1/pets/<key>/x'],
    [`/${KEY}/${KEY}`, '/<key>/<key>'],
  ])('of %s: %s', (target, told) => {
    expect(loggedPath(target)).toBe(told);
  });

  test.each([200, 220, 240, 251, 256, 290])('no part of a key that begins at its character %i', (start) => {
    const told = loggedPath(`/${KEY}${'/a'.repeat(start)}`.slice(0, start) + `/${KEY}/b`);
    expect(told).not.toContain(KEY.slice(0, 12));
  });

  test('as much of the longest target in a moment, whatever it holds', () => {
    const targets = [`/${'a'.repeat(16_000)}`, '/a_'.repeat(5_300), `/${'ab0123456789abcd_'.repeat(940)}`];
    const before = performance.now();
    for (const target of targets) loggedPath(target);
    expect(performance.now() - before).toBeLessThan(50);
  });
});
