import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express from 'express';
import { addPrefix, forwardedPrefix, parsePrefix, prefixRecorder, type Prefixed } from './forwarded-prefix.js';

describe('a prefix that a proxy took off', () => {
  test.each([
    ['/shop', '/shop'],
    ['/shop/', '/shop'],
    ['/a/b-1/c_2/d.3/~e', '/a/b-1/c_2/d.3/~e'],
    [`/${'a'.repeat(255)}`, `/${'a'.repeat(255)}`],
  ])('may be %s', (text, prefix) => {
    expect(parsePrefix(text)).toBe(prefix);
  });

  test.each([
    ...[
      '',
      '/',
      '//',
      '//evil.example',
      '/shop//',
      '/shop//x',
      'shop',
      'https://evil.example',
      '/a/../b',
      '/.',
      '/a/./b',
    ],
    ...['/shop, /other', '/a b', '/a%2fb', '/a?b', '/a#b', '/a\\b', '/a>; rel="x"', '/ä', '/a\r\nb', '/a\n'],
    `/${'a'.repeat(256)}`,
  ])('is never %j', (text) => {
    expect(parsePrefix(text)).toBeUndefined();
  });
});

describe('who is believed', () => {
  /** What is noted of a request from this address. */
  function noted(trustProxy: unknown, remoteAddress: string | undefined): string | undefined {
    const server = express();
    if (trustProxy !== undefined) server.set('trust proxy', trustProxy);
    const socket = new Socket();
    Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
    const request = new IncomingMessage(socket);
    request.headers['x-forwarded-prefix'] = '/shop';
    const response = new ServerResponse(request);
    prefixRecorder(server)?.(request, response);
    return (response as Prefixed)[forwardedPrefix];
  }

  test.each([
    ['10.0.0.0/8', '10.1.2.3'],
    ['10.0.0.0/8', '::ffff:10.1.2.3'],
    ['loopback', '::1'],
    [1, '192.0.2.1'],
  ])('with TRUST_PROXY=%s is %s', (trusted, address) => {
    expect(noted(trusted, address)).toBe('/shop');
  });

  test.each([
    [undefined, '127.0.0.1'],
    [0, '127.0.0.1'],
    ['10.0.0.0/8', '11.1.2.3'],
    ['loopback', '192.0.2.1'],
    ['loopback', undefined],
  ])('with TRUST_PROXY=%s is not %s', (trusted, address) => {
    expect(noted(trusted, address)).toBeUndefined();
  });

  test('is nobody to look at where no proxy is trusted', () => {
    expect(prefixRecorder(express())).toBeUndefined();
  });
});

describe('the addresses of a response behind a proxy that takes /shop off', () => {
  function prefixed(name: string, value: string | string[]): unknown {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    response.setHeader(name, value);
    addPrefix(response, '/shop');
    return [response.getHeader(name)].flat().join('; ');
  }

  test.each([
    ['Location', '/v1/pets/1', '/shop/v1/pets/1'],
    ['location', '/', '/shop/'],
    ['Link', '</v1/pets?limit=1>; rel="next"', '</shop/v1/pets?limit=1>; rel="next"'],
    ['Link', '</a>; rel="next", </b>; rel="prev"', '</shop/a>; rel="next", </shop/b>; rel="prev"'],
    ['LINK', '</a>,</b>,  </c>', '</shop/a>,</shop/b>,  </shop/c>'],
    ['Link', ['</a>', '</b>'], '</shop/a>; </shop/b>'],
  ])('%s: %j becomes %s', (name, value, expected) => {
    expect(prefixed(name, value)).toBe(expected);
  });

  test.each([
    ['Location', 'https://other.example/v1'],
    ['Location', '//other.example/v1'],
    ['Location', 'pets/1'],
    ['Link', '<https://other.example/v1>; rel="next"'],
    ['Link', '<//other.example/v1>; rel="next"'],
    ['Link', '<#part>; rel="help"; title="</b>"'],
    ['X-Location', '/v1'],
  ])('%s: %s stays as it is', (name, value) => {
    expect(prefixed(name, value)).toBe(value);
  });
});
