import { generateApiKey } from '@animal-store/auth';
import { loggedPath } from './request-log.js';

const KEY = generateApiKey('test');
const BOOTSTRAP_KEY = 'any?visible/%41SCII-text';

/** Every character in percent-encoding. */
function encoded(text: string): string {
  return Array.from(text, (character) => `%${character.charCodeAt(0).toString(16)}`).join('');
}

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
    [`/v1/pets/${KEY.replaceAll('_', '%5F')}`, '/v1/pets/<key>'],
    [`/v1/pets/${encoded(KEY)}/%C3%A4`, '/v1/pets/<key>/%C3%A4'],
    [`/v1/pets/${encoded(encoded(KEY))}`, '/v1/pets/<key>'],
    [`/v1/pets/${BOOTSTRAP_KEY}`, '/v1/pets/<key>'],
    [`/v1/pets/${encodeURIComponent(BOOTSTRAP_KEY)}`, '/v1/pets/<key>'],
    ['/v1/pets/%41', '/v1/pets/%41'],
    ['/v1/%0A%00', '/v1/%0A%00'],
  ])('of %s: %s', (target, told) => {
    expect(loggedPath(target, BOOTSTRAP_KEY)).toBe(told);
  });

  test.each([190, 220, 240, 250, 255, 256, 257, 280, 310, 330])(
    'no part of a key that begins at its character %i',
    (start) => {
      for (const head of [`/${KEY}`, `/${KEY}/${KEY}`, '/']) {
        const told = loggedPath(head.padEnd(start, '/a') + `/${KEY}/b`);
        expect(told).not.toContain(KEY.slice(0, 7));
      }
    },
  );
});
