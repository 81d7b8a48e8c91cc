import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nextPage } from '@animal-store/testing';
import { DOCUMENT } from './run-tool.js';
import { mockDocument } from './mock-document.js';
import { MockServer } from './mock-server.js';

const KEY = { authorization: 'Bearer any-key-will-do' };
const BELLA = JSON.stringify({ name: 'Bella', categoryId: 7 });

function post(url: string, body: string, headers = {}): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { ...KEY, 'content-type': 'application/json', ...headers }, body });
}

describe('npm run mock', () => {
  let folder: string;
  let mock: MockServer;
  let pets: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'animal-store-mock-'));
    const file = join(folder, 'openapi.yaml');
    writeFileSync(file, mockDocument(readFileSync(DOCUMENT, 'utf8')));
    mock = await MockServer.start(file);
    pets = `${mock.url}/v1/pets`;
  });

  afterAll(async () => {
    await mock.stop();
    rmSync(folder, { recursive: true });
  });

  test('pages through several pages, each by the Link of the one before', async () => {
    let url: string | undefined = `${pets}?limit=3`;
    const pages: unknown[][] = [];
    while (url !== undefined && pages.length < 4) {
      const answer = await fetch(url, { headers: KEY });
      expect([answer.status, answer.headers.get('sl-violations')]).toEqual([200, null]);
      pages.push((await answer.json()) as unknown[]);
      const next = nextPage(answer);
      url = next && new URL(next, url).href;
    }
    expect(pages).toHaveLength(4);
    expect(pages.filter(({ length }) => length === 0)).toEqual([]);
  });

  test('creates a pet that can be got, and says nothing of a replay', async () => {
    const created = await post(pets, BELLA, { 'idempotency-key': 'f0e4c2f76c58916ec258f246851bea09' });
    expect([created.status, created.headers.has('idempotent-replayed')]).toEqual([201, false]);
    const got = await fetch(new URL(created.headers.get('location') ?? '', pets), { headers: KEY });
    expect([got.status, await got.json()]).toEqual([200, await created.json()]);
  });

  test('announces the end of what is deprecated as the service does', async () => {
    const got = await fetch(`${pets}/1`, { headers: KEY });
    expect([got.status, got.headers.get('sl-violations')]).toEqual([200, null]);
    expect(got.headers.get('deprecation')).toMatch(/^@[0-9]+$/);
    expect(got.headers.get('sunset')).toMatch(/ GMT$/);
  });

  test('answers a body that breaks the rules as the service does', async () => {
    const refused = await post(pets, '{}');
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { code: 'invalid_request', message: expect.stringContaining('name') as string, status: 400 },
    ]);
  });

  test('asks for a key as the service does', async () => {
    const refused = await fetch(pets);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Bearer /)]);
    expect(await refused.json()).toMatchObject({ code: 'unauthorized', status: 401 });
  });

  test.each([
    [400, 'invalid_request'],
    [429, 'rate_limited'],
    [500, 'internal_error'],
    [503, 'service_unavailable'],
  ])('answers %d when it is asked to', async (status, code) => {
    const answer = await fetch(pets, { headers: { ...KEY, prefer: `code=${status}` } });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ code, message: expect.any(String) as string, status });
  });

  test.each([429, 503])('tells with a %d how long to wait', async (status) => {
    const answer = await fetch(pets, { headers: { ...KEY, prefer: `code=${status}` } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('Prism with the document as it is', () => {
  let mock: MockServer;

  beforeAll(async () => {
    mock = await MockServer.start(DOCUMENT);
  });

  afterAll(() => mock.stop());

  test('claims no replay', async () => {
    const created = await post(`${mock.url}/pets`, BELLA);
    expect([created.status, created.headers.get('idempotent-replayed')]).toEqual([
      201,
      expect.not.stringMatching('true'),
    ]);
  });

  test('shows a page that obeys the document', async () => {
    const page = await fetch(`${mock.url}/pets`, { headers: KEY });
    expect([page.status, page.headers.get('sl-violations')]).toEqual([200, null]);
  });
});
