import { inspect } from 'node:util';
import { AnimalStore } from './animal-store.js';
import { baseOf, limitsOf, type ClientOptions } from './options.js';

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
  expect(baseOf(baseUrl)).toBe(base);
});

test.each(['127.0.0.1', '127.0.0.1:3000', 'localhost:3000', '/v1', 'ftp://api.example', 'https://', ''])(
  'An address that is none of HTTP is refused at once, by what it is: %j',
  (baseUrl) => {
    expect(() => new AnimalStore({ baseUrl, apiKey })).toThrow(
      `baseUrl must be the address of the service, such as https://api.animal-store.example/v1, but is "${baseUrl}"`,
    );
  },
);

test.each([undefined, {}, { apiKey }])('A client without an address is told that it is missing: %j', (options) => {
  expect(() => new AnimalStore(options as ClientOptions)).toThrow(/^baseUrl must be .*, but is missing$/);
});

test.each(['', 'Bearer key', 'line\nbreak', 'schlüssel', undefined, null])(
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
  const client = { timeout: 1, retries: undefined };
  expect(limitsOf(client, { attemptTimeout: 2, timeout: undefined })).toMatchObject({ timeout: 1, attemptTimeout: 2 });
});
