import { createMigratedDatabase, DATABASES } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { startApp, TEST_API_KEY, useApp, useTwoApps, type RunningApp } from '../support/running-app.js';
import { nextPage } from '../support/pages.js';

const STATUSES = ['available', 'pending', 'sold'] as const;

interface Animal {
  readonly id: number;
  readonly name: string;
  readonly status: string;
}

describe.each(DATABASES)('listPets on $name', ({ create }) => {
  const app = useApp(create);

  /** The pets of one response, and the address of the next page. */
  async function page(path: string): Promise<{ pets: Animal[]; next: string | undefined }> {
    const answer = await app.request(path);
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    return { pets: (await answer.json()) as Animal[], next: nextPage(answer) };
  }

  /** Every pet from `path` onwards, page by page. */
  async function walk(path: string): Promise<Animal[][]> {
    const pages: Animal[][] = [];
    for (let at: string | undefined = path; at !== undefined;) {
      const { pets, next }: { pets: Animal[]; next: string | undefined } = await page(at);
      pages.push(pets);
      at = next;
    }
    return pages;
  }

  test('answers an empty list without a link where there are no pets', async () => {
    const answer = await app.request('/v1/pets');
    expect([answer.status, await answer.text(), answer.headers.get('link')]).toEqual([200, '[]', null]);
  });

  describe('with 45 pets', () => {
    beforeAll(async () => {
      for (let n = 1; n <= 45; n++) {
        await app.createPet({ name: `Animal ${n}`, categoryId: n, status: STATUSES[n % 3]! });
      }
    });

    test('shows the first 20 in ascending order of id', async () => {
      const { pets } = await page('/v1/pets');
      expect(pets.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    });

    test.each([1, 2, 9, 10, 44, 45, 99, 100])('shows %i at most when told so', async (limit) => {
      const { pets } = await page(`/v1/pets?limit=${limit}`);
      expect(pets).toHaveLength(Math.min(limit, 45));
    });

    test.each(STATUSES)('shows those that are %s alone', async (status) => {
      const [pets = []] = await walk(`/v1/pets?limit=100&status=${status}`);
      expect(pets.map(({ name }) => name)).toEqual(
        Array.from({ length: 45 }, (_, index) => index + 1)
          .filter((n) => STATUSES[n % 3] === status)
          .map((n) => `Animal ${n}`),
      );
    });

    test('links the next page with its limit and its filter', async () => {
      const answer = await app.request('/v1/pets?status=sold&limit=7');
      expect(answer.headers.get('link')).toMatch(/^<\/v1\/pets\?limit=7&status=sold&cursor=[\w-]+>; rel="next"$/);
    });

    test('links the next page with the default limit', async () => {
      const answer = await app.request('/v1/pets');
      expect(answer.headers.get('link')).toMatch(/^<\/v1\/pets\?limit=20&cursor=[\w-]+>; rel="next"$/);
    });

    test.each([
      ['/v1/pets', [20, 20, 5]],
      ['/v1/pets?limit=45', [45]],
      ['/v1/pets?limit=15', [15, 15, 15]],
      ['/v1/pets?limit=44', [44, 1]],
      ['/v1/pets?status=sold&limit=4', [4, 4, 4, 3]],
      ['/v1/pets?status=sold&limit=15', [15]],
    ])('leads from %s through pages of %j pets, the last one without a link', async (path, sizes) => {
      const pages = await walk(path);
      expect(pages.map(({ length }) => length)).toEqual(sizes);
    });

    test('never tells a pet twice, nor leaves one out, on the way', async () => {
      const ids = (await walk('/v1/pets?limit=1')).flat().map(({ id }) => id);
      expect(ids).toEqual(Array.from({ length: 45 }, (_, index) => index + 1));
    });

    test('honours another limit beside the cursor', async () => {
      const { next } = await page('/v1/pets?limit=10');
      const { pets } = await page(next!.replace('limit=10', 'limit=3'));
      expect(pets.map(({ id }) => id)).toEqual([11, 12, 13]);
    });

    test('refuses a cursor in which any one character is another one', async () => {
      const { next } = await page('/v1/pets');
      const cursor = cursorOf(next!);
      const accepted: string[] = [];
      for (let index = 0; index < cursor.length; index++) {
        for (const character of ['A', 'B', '_', '=', '.']) {
          const changed = cursor.slice(0, index) + character + cursor.slice(index + 1);
          if (changed === cursor) continue;
          const { status } = await app.request(`/v1/pets?cursor=${encodeURIComponent(changed)}`);
          if (status !== 400) accepted.push(`${status} ${changed}`);
        }
      }
      expect(accepted).toEqual([]);
    });

    test.each([
      ['cut', (cursor: string) => cursor.slice(0, -1)],
      ['longer', (cursor: string) => `${cursor}A`],
      ['padded', (cursor: string) => `${cursor}==`],
      ['with a blank', (cursor: string) => `${cursor} `],
      ['twice', (cursor: string) => cursor + cursor],
      ['an id', () => '20'],
      ['an id in base64', () => Buffer.from('["20"]').toString('base64url')],
      [
        'the signed part without a signature',
        (cursor: string) => Buffer.from(cursor, 'base64url').subarray(0, 10).toString('base64url'),
      ],
      ['nonsense', () => 'nonsense'],
      ['empty', () => ''],
    ])('refuses a cursor that is %s', async (_name, change) => {
      const { next } = await page('/v1/pets');
      const answer = await app.request(`/v1/pets?cursor=${encodeURIComponent(change(cursorOf(next!)))}`);
      expect(await readError(answer)).toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(/^cursor must be /) as string,
      });
    });

    test.each([
      ['without a filter', '/v1/pets?limit=1', '&status=sold'],
      ['of another filter', '/v1/pets?limit=1&status=pending', '&status=sold'],
      ['of a filter', '/v1/pets?limit=1&status=sold', ''],
    ])('refuses a cursor %s under "%s%s"', async (_name, from, filter) => {
      const { next } = await page(from);
      const answer = await app.request(`/v1/pets?limit=1${filter}&cursor=${cursorOf(next!)}`);
      expect((await readError(answer)).status).toBe(400);
    });

    test('gives the same list with the same entity tag, and 304 for it', async () => {
      const first = await app.request('/v1/pets?status=sold');
      const tag = first.headers.get('etag')!;
      const second = await app.request('/v1/pets?status=sold', { headers: { 'if-none-match': tag } });
      expect(tag).toMatch(/^"[!-~]+"$/);
      expect([second.status, await second.text(), second.headers.get('etag')]).toEqual([304, '', tag]);
    });

    test('gives 304 the headers that the 200 would have', async () => {
      const first = await app.request('/v1/pets?limit=5');
      const second = await app.request('/v1/pets?limit=5', {
        headers: { 'if-none-match': first.headers.get('etag')! },
      });
      for (const name of ['etag', 'link', 'cache-control', 'vary']) {
        expect(second.headers.get(name)).toBe(first.headers.get(name));
      }
    });

    test.each([
      ['the tag in a list', (tag: string) => `"other", ${tag}, "more"`, 304],
      ['the tag marked as weak', (tag: string) => `W/${tag}`, 304],
      ['the tag in a list without blanks', (tag: string) => `"other",${tag}`, 304],
      ['a star', () => '*', 304],
      ['another tag', () => '"other"', 200],
      ['the tag without its quotes', (tag: string) => tag.slice(1, -1), 200],
      ['the beginning of the tag', (tag: string) => `${tag.slice(0, -2)}"`, 200],
    ])('takes %s in If-None-Match for what it is', async (_name, header, status) => {
      const tag = (await app.request('/v1/pets')).headers.get('etag')!;
      const answer = await app.request('/v1/pets', { headers: { 'if-none-match': header(tag) } });
      expect(answer.status).toBe(status);
    });

    test('gives another entity tag to every other page', async () => {
      const paths = [
        '/v1/pets',
        '/v1/pets?limit=5',
        '/v1/pets?limit=6',
        '/v1/pets?status=sold',
        '/v1/pets?status=pending',
      ];
      const tags = await Promise.all(paths.map(async (path) => (await app.request(path)).headers.get('etag')));
      expect(new Set(tags).size).toBe(paths.length);
    });

    test('gives another entity tag once a pet was added', async () => {
      const tag = (await app.request('/v1/pets?limit=100')).headers.get('etag')!;
      await app.createPet({ name: 'The 46th', categoryId: 1 });
      const answer = await app.request('/v1/pets?limit=100', { headers: { 'if-none-match': tag } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('etag')).not.toBe(tag);
    });
  });

  test('keeps every digit of an int64', async () => {
    const categories = ['9007199254740993', '9223372036854775807', '-9223372036854775808'];
    for (const category of categories) {
      await app.request('/v1/pets', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"name":"Big","categoryId":${category},"status":"pending"}`,
      });
    }
    const text = await (await app.request('/v1/pets?status=pending&limit=100')).text();
    expect(text.match(/(?<="name":"Big","categoryId":)[^,]+/g)).toEqual(categories);
  });

  test('shows each of 250 pets exactly once to a client that follows the links while 50 are being added', async () => {
    const before = await addMany(app, 250);
    const adding = { over: false };
    const addOneByOne = async () => {
      for (let times = 0; times < 50; times += 1) await app.createPet({ name: 'One of many', categoryId: 1 });
    };
    const added = addOneByOne().finally(() => (adding.over = true));
    const seen: number[] = [];
    let pages = 0;
    let pagesWhileAdding = 0;
    for (let at: string | undefined = '/v1/pets?limit=7'; at !== undefined; pages++) {
      if (!adding.over) pagesWhileAdding++;
      const { pets, next }: { pets: Animal[]; next: string | undefined } = await page(at);
      seen.push(...pets.map(({ id }) => id));
      at = next;
    }
    await added;
    const times = before.map((id) => seen.filter((other) => other === id).length);
    expect(times).toEqual(before.map(() => 1));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(pages).toBeGreaterThan(35);
    expect(pagesWhileAdding).toBeGreaterThan(1);
  });
});

describe('the query of listPets', () => {
  const app = useApp(createMigratedDatabase);

  const LIMIT = 'limit must be an integer between 1 and 100, written once in plain decimal digits';
  const STATUS = 'status must be one of available, pending, sold';

  test.each([
    'limit=0',
    'limit=101',
    'limit=1e1',
    'limit=+5',
    'limit=5%20',
    'limit=5%00',
    'limit=%EF%BC%95',
    'limit=%FF',
    'limit=',
    'limit',
    'limit=5&limit=5',
    'limit=5;status=sold',
    `limit=${'1'.repeat(1000)}`,
  ])('is refused as ?%s', async (query) => {
    expect(await readError(await app.request(`/v1/pets?${query}`))).toEqual({
      code: 'invalid_request',
      message: LIMIT,
      status: 400,
    });
  });

  test.each([
    'status=Sold',
    'status=SOLD',
    'status=',
    'status',
    'status=%20sold',
    'status=sold%20',
    'status=sold,pending',
    'status=gone',
    'status=null',
    'status=sold&status=sold',
    'status=sold&status=pending',
    'status=toString',
    'status=__proto__',
    'status=sold%00',
    "status=sold'--",
  ])('is refused as ?%s', async (query) => {
    expect(await readError(await app.request(`/v1/pets?${query}`))).toEqual({
      code: 'invalid_request',
      message: STATUS,
      status: 400,
    });
  });

  test.each([
    ['stauts=sold', 'unknown query parameter "stauts": did you mean status?'],
    ['Limit=5', 'unknown query parameter "Limit": did you mean limit?'],
    ['limt=5', 'unknown query parameter "limt": did you mean limit?'],
    ['limit[]=5', 'unknown query parameter "limit[]": did you mean limit?'],
    ['curser=x', 'unknown query parameter "curser": did you mean cursor?'],
    ['categoryId=5', 'unknown query parameter "categoryId": allowed are status, limit, cursor'],
    ['__proto__=5', 'unknown query parameter "__proto__": allowed are status, limit, cursor'],
    ['constructor=5', 'unknown query parameter "constructor": allowed are status, limit, cursor'],
    ['=5', 'unknown query parameter "": allowed are status, limit, cursor'],
    [
      'limit=0&status=gone&page=2',
      `${STATUS}; ${LIMIT}; unknown query parameter "page": allowed are status, limit, cursor`,
    ],
    ['cursor=a&cursor=b', 'cursor must be the one that a Link header gave'],
  ])('is refused as ?%s, which is not one of its names', async (query, message) => {
    expect(await readError(await app.request(`/v1/pets?${query}`))).toEqual({
      code: 'invalid_request',
      message,
      status: 400,
    });
  });

  test.each([
    '',
    '?',
    '?&',
    '?limit=1',
    '?limit=100',
    '?limit=%31%30',
    '?%6cimit=5',
    '?status=sold',
    '?status=s%6Fld&limit=2',
    '?limit=2&',
  ])('is fine as "%s"', async (query) => {
    expect((await app.request(`/v1/pets${query}`)).status).toBe(200);
  });
});

describe('a cursor', () => {
  const apps = useTwoApps(createMigratedDatabase);
  const foreign = useApp(createMigratedDatabase);

  beforeAll(async () => {
    for (const app of [apps[0], foreign]) {
      await app.createPet({ name: 'Rex', categoryId: 7 });
      await app.createPet({ name: 'Tom', categoryId: 7 });
    }
  });

  test('of one instance is good at the others, also when both make their first at the same time', async () => {
    const links = await Promise.all(apps.map(async (app) => nextPage(await app.request('/v1/pets?limit=1'))));
    expect(links[0]).toBe(links[1]);
    expect((await apps[1].request(links[0]!)).status).toBe(200);
  });

  test('of another database is refused', async () => {
    const link = nextPage(await foreign.request('/v1/pets?limit=1'));
    expect((await readError(await apps[0].request(link!))).status).toBe(400);
  });

  test('is good after a restart', async () => {
    const link = nextPage(await apps[0].request('/v1/pets?limit=1'))!;
    const restarted = await startApp(apps[0].database);
    const answer = await restarted.request(link, { key: TEST_API_KEY });
    await restarted.close();
    expect(answer.status).toBe(200);
  });
});

function cursorOf(link: string): string {
  return new URL(link, 'http://localhost').searchParams.get('cursor') ?? '';
}

/** Adds pets, ten at a time, and returns their ids. */
async function addMany(app: RunningApp, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let done = 0; done < count; done += 10) {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => app.createPet({ name: 'One of many', categoryId: 1 })),
    );
    for (const answer of answers) ids.push(((await answer.json()) as Animal).id);
  }
  return ids;
}
