import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { generateApiKey } from '@animal-store/auth';
import { requestBytes } from '../support/raw-http.js';
import { TEST_API_KEY } from '../support/running-app.js';
import type { Attack } from './start-attack.js';

const KEY = `Authorization: Bearer ${TEST_API_KEY}`;
const JSON_TYPE = 'Content-Type: application/json';
const MEBIBYTE = 1024 ** 2;

const get = (path: string, headers: string[] = []) => requestBytes('GET', path, headers);
/** The algorithm for the checksum of a key is public, so anyone can make keys that the service must look up. */
const withUnknownKey = () => get('/v1', [`Authorization: Bearer ${generateApiKey('asdev')}`]);
const many = (count: number, make: () => string) => Array.from({ length: count }, make).join('');
const post = (body: string, type = JSON_TYPE) =>
  requestBytes('POST', '/v1/pets', [KEY, type, `Content-Length: ${body.length}`], body);
const postInChunks = (chunks: string, headers: string[] = []) =>
  requestBytes('POST', '/v1/pets', [KEY, JSON_TYPE, 'Transfer-Encoding: chunked', ...headers], chunks);

const postBytes = (body: Buffer, headers: string[]) => {
  const fields = [KEY, JSON_TYPE, ...headers, `Content-Length: ${body.length}`];
  return Buffer.concat([Buffer.from(requestBytes('POST', '/v1/pets', fields)), body]);
};

const LARGEST_FILE = '/docs/swagger-ui-bundle.js';

/** Attacks by name, with and without a valid key. Each attack creates its bytes on demand, because there are many bytes. */
export const ATTACKS: Readonly<Record<string, () => Attack>> = {
  '25,000 pipelined requests with unknown keys on one connection': () => ({
    connections: 1,
    payloads: [many(25_000, withUnknownKey)],
    milliseconds: 8_000,
  }),
  '2,500 requests with unknown keys a second': () => ({
    connections: 50,
    payloads: Array.from({ length: 50 }, () => many(5, withUnknownKey)),
    times: 100,
    pauseMs: 100,
    milliseconds: 8_000,
  }),
  '64 KiB of the smallest requests there are on each of 512 connections': () => ({
    connections: 512,
    payloads: [many(3_640, () => 'GET / HTTP/1.1\r\n\r\n')],
    milliseconds: 8_000,
  }),
  '1,000 pipelined requests for the largest file on each of 256 connections that read nothing': () => ({
    connections: 256,
    payloads: [many(1_000, () => get(LARGEST_FILE))],
    reads: false,
    milliseconds: 8_000,
  }),
  'the largest file on each of 2,000 connections that read nothing': () => ({
    connections: 2_000,
    payloads: [get(LARGEST_FILE)],
    reads: false,
    milliseconds: 8_000,
  }),
  '8 pipelined requests for the largest file on each of 1,000 connections that read nothing': () => ({
    connections: 1_000,
    payloads: [many(8, () => get(LARGEST_FILE))],
    reads: false,
    milliseconds: 8_000,
  }),
  '5,000 idle connections': () => ({ connections: 5_000, payloads: [''], milliseconds: 8_000 }),
  'bodies of a million chunks of one byte on each of 8 connections': () => ({
    connections: 8,
    payloads: [postInChunks(many(1_000_000, () => '1\r\n \r\n'))],
    milliseconds: 8_000,
  }),
  'bodies of a million chunks of one byte without a key on each of 8 connections': () => ({
    connections: 8,
    payloads: [
      requestBytes(
        'POST',
        '/v1/pets',
        ['Transfer-Encoding: chunked'],
        many(1_000_000, () => '1\r\n \r\n'),
      ),
    ],
    milliseconds: 8_000,
  }),
  'compressed bodies of 1 MiB, of 64 clients that do not wait for the response': () => ({
    connections: 64,
    payloads: [postBytes(gzipSync(randomBytes(MEBIBYTE - 2_048)), ['Content-Encoding: gzip'])],
    leaves: true,
    reconnects: true,
    milliseconds: 8_000,
  }),
  '600 bodies of 1 MiB that stop before their end': () => ({
    connections: 600,
    payloads: [post(' '.repeat(MEBIBYTE)).slice(0, -1)],
    milliseconds: 8_000,
  }),
  '1,600 pipelined lists with a valid key on each of 64 connections': () => ({
    connections: 64,
    payloads: [many(1_600, () => get('/v1/pets?limit=100', [KEY]))],
    milliseconds: 8_000,
  }),
};

/** For a service with pages of 108 kB: different pages pipelined on connections that read nothing. */
export const UNREAD_PAGES = (paths: readonly string[]): Attack => ({
  connections: 260,
  payloads: Array.from({ length: 260 }, (_, connection) =>
    Array.from({ length: 10 }, (_, list) => get(paths[(10 * connection + list) % paths.length] ?? '', [KEY])).join(''),
  ),
  reads: false,
  milliseconds: 12_000,
});

/** Different pages, read one after the other on 256 connections: the requests of a statement become ready together. */
export const READ_PAGES = (paths: readonly string[]): Attack => ({
  connections: 256,
  payloads: Array.from({ length: 256 }, (_, connection) =>
    Array.from({ length: 25 }, (_page, place) =>
      get(paths[(977 * connection + 13 * place) % paths.length] ?? '', place < 24 ? [KEY] : [KEY, 'Connection: close']),
    ).join(''),
  ),
  reconnects: true,
  milliseconds: 8_000,
});

/** One unread page on nearly as many connections as there may be. */
export const UNREAD_PAGE_EACH = (paths: readonly string[]): Attack => ({
  connections: 1_000,
  payloads: paths.map((path) => get(path, [KEY])),
  reads: false,
  milliseconds: 8_000,
});

/** For the port of the metrics. */
export const METRICS_ATTACKS: Readonly<Record<string, () => Attack>> = {
  '1,500 pipelined scrapes on one connection': () => ({
    connections: 1,
    payloads: [get('/metrics').repeat(1_500)],
    reconnects: true,
    milliseconds: 8_000,
  }),
  '6,000 half-open connections to the metrics': () => ({
    connections: 6_000,
    payloads: ['GET /metrics HTTP/1.1\r\nHost: local'],
    milliseconds: 8_000,
  }),
};

/** For a service whose log is not read. */
export const LONG_PATHS: () => Attack = () => ({
  connections: 8,
  payloads: [many(3_000, () => get(`/${'a'.repeat(8_000)}`))],
  milliseconds: 8_000,
});
