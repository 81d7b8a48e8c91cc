import { once } from 'node:events';
import { connect } from 'node:net';
import express from 'express';
import { listen } from '../../../../test/support/listen.js';
import { createHttpServer } from './http-server.js';
import { RequestTracker } from './request-tracker.js';

test.each<[string, Record<string, string | string[]> | string[]]>([
  ['an object', { 'X-Kind': 'written', Vary: 'Accept', 'Cache-Control': 'no-store', 'Set-Cookie': ['a=1', 'b=2'] }],
  [
    'a list',
    ['X-Kind', 'written', 'Vary', 'Accept', 'Cache-Control', 'no-store', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'],
  ],
])('header fields that a handler writes as %s replace those before them, and add to Vary', async (_form, fields) => {
  const limits = { maxConnections: 10, keepAliveMs: 1_000 };
  const server = createHttpServer(express(), new RequestTracker(), limits, (_request, response) => {
    response.setHeader('X-Kind', 'set').setHeader('Vary', 'Origin');
    response.writeHead(200, fields as string[]).end();
  });
  const { headers } = await fetch(`http://127.0.0.1:${await listen(server)}`);
  server.close();
  expect(headers.get('x-kind')).toBe('written');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(headers.get('vary')).toBe('Origin, Accept, Authorization');
});

test('the parser stops where a client has sent too many requests ahead, and makes nothing of the rest', async () => {
  const limits = { maxConnections: 10, keepAliveMs: 1_000 };
  const server = createHttpServer(express(), new RequestTracker(), limits, () => undefined);
  let requests = 0;
  server.on('request', () => (requests += 1));
  const client = connect(await listen(server), '127.0.0.1');
  client.write('GET / HTTP/1.1\r\n\r\n'.repeat(3_000));
  client.resume();
  await once(client, 'close');
  server.close();
  expect(requests).toBeLessThan(50);
});
