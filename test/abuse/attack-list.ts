import { generateApiKey } from '@animal-store/auth';
import { requestBytes } from '../support/raw-http.js';
import { TEST_API_KEY } from '../support/running-app.js';
import type { Attack } from './start-attack.js';

const KEY = `Authorization: Bearer ${TEST_API_KEY}`;
const JSON_TYPE = 'Content-Type: application/json';

const get = (path: string, headers: string[] = []) => requestBytes('GET', path, headers);
/** The algorithm for the checksum of a key is public, so anyone can make keys that the service must look up. */
const withUnknownKey = () => get('/v1', [`Authorization: Bearer ${generateApiKey('asdev')}`]);
const many = (count: number, make: () => string) => Array.from({ length: count }, make).join('');
const post = (body: string, ...keys: string[]) =>
  requestBytes('POST', '/v1/pets', [...keys, JSON_TYPE, `Content-Length: ${Buffer.byteLength(body)}`], body);

/** Attacks by name of who has no key. Each attack creates its bytes on demand, because there are many bytes. */
export const ATTACKS_OF_STRANGERS: Readonly<Record<string, () => Attack>> = {
  '25,000 pipelined requests with unknown keys on one connection': () => ({
    connections: 1,
    payloads: [many(25_000, withUnknownKey)],
    reconnects: true,
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
  '5,000 idle connections': () => ({ connections: 5_000, payloads: [''], milliseconds: 8_000 }),
  'bodies of 100 kB without a key, one after the other, on 60 connections': () => ({
    connections: 60,
    payloads: [post(`{"name":"${'a'.repeat(100_000)}"}`)],
    times: 100_000,
    reconnects: true,
    waits: true,
    milliseconds: 8_000,
  }),
};

/** Attacks by name of who has a key. */
export const ATTACKS: Readonly<Record<string, () => Attack>> = {
  '1,000 bodies of 100 kB that stop before their end': () => ({
    connections: 1_000,
    payloads: [post(' '.repeat(100_000), KEY).slice(0, -1)],
    milliseconds: 8_000,
  }),
  '1,600 pipelined lists on each of 64 connections': () => ({
    connections: 64,
    payloads: [many(1_600, () => get('/v1/pets?limit=100', [KEY]))],
    reconnects: true,
    milliseconds: 8_000,
  }),
};

const members = (count: number) => many(count, () => `"${Math.random().toString(36).slice(2, 8)}":1,`).slice(0, -1);

/** Bodies of 100 kB that would cost most, if what is made of them were not counted before. */
const COSTLY_BODIES: Readonly<Record<string, () => string>> = {
  'a number of 100,000 digits': () => `{"name":"a","categoryId":1.${'0'.repeat(100_000)}1}`,
  '8,000 members': () => `{${members(8_000)}}`,
  '8,000 members in the place of a text': () => `{"name":{${members(8_000)}}}`,
  '20 objects of 400 members': () => `{"name":[${many(20, () => `{${members(400)}},`).slice(0, -1)}]}`,
  '33,000 objects in the place of a text': () => `{"name":[${many(33_000, () => '{},').slice(0, -1)}]}`,
  '33,000 lists in an unknown member': () => `{"lists":[${many(33_000, () => '[],').slice(0, -1)}]}`,
  '3,500 names of methods below a name of 50,000 letters': () =>
    `{"\u0107${'a'.repeat(50_000)}":[${many(3_500, () => '{"valueOf":1},').slice(0, -1)}]}`,
  '50,000 escapes': () => `{"name":"${'\\n'.repeat(50_000)}","categoryId":1}`,
  '20,000 numbers with fractions': () => `{"name":[${many(20_000, () => '1.50,').slice(0, -1)}]}`,
};

/** Bodies of 100 kB, one after the other, on 60 connections. */
export const FLOODS = Object.fromEntries(
  Object.entries(COSTLY_BODIES).map(([name, bodyOf]): [string, () => Attack] => [
    name,
    () => ({
      connections: 60,
      payloads: [post(bodyOf(), KEY)],
      times: 100_000,
      reconnects: true,
      waits: true,
      milliseconds: 8_000,
    }),
  ]),
);

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
