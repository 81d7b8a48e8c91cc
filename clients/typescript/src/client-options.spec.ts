import { inspect } from 'node:util';
import { AnimalStore } from './animal-store.js';
import { baseOf, limitsOf } from './client-options.js';

const apiKey = 'a-key-of-the-test';

test.each([
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/v1'],
  ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000/v1'],
  ['https://api.example/v1', 'https://api.example/v1'],
  ['https://api.example/v1/', 'https://api.example/v1'],
  ['https://api.example/shop', 'https://api.example/shop/v1'],
  ['https://api.example/shop/v1?x=1#y', 'https://api.example/shop/v1'],
  [new URL('https://api.example'), 'https://api.example/v1'],
])('The operations of %s are at %s', (baseUrl, base) => {
  expect(baseOf({ baseUrl, apiKey })).toBe(base);
});

test('An address that is none is refused at once', () => {
  expect(() => new AnimalStore({ baseUrl: '127.0.0.1', apiKey })).toThrow('Invalid URL');
});

test.each(['', 'two words', 'line\nbreak', 'schlüssel', undefined, null])(
  'No key is %j: it is refused at once',
  (key) => {
    expect(() => new AnimalStore({ baseUrl: 'http://127.0.0.1', apiKey: key! })).toThrow('apiKey must be');
  },
);

test('A client that is logged does not show its key', () => {
  const store = new AnimalStore({ baseUrl: 'http://127.0.0.1', apiKey });
  expect(inspect(store, { depth: 9, showHidden: true })).not.toContain(apiKey);
});

test('A call has its own limits, else those of the client, else the defaults', () => {
  const client = { baseUrl: '', apiKey, timeout: 1, retries: undefined };
  expect(limitsOf(client, { attemptTimeout: 2, timeout: undefined })).toEqual({
    timeout: 1,
    attemptTimeout: 2,
    retries: 3,
  });
});
