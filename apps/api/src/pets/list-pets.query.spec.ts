import fc from 'fast-check';
import type { PetPageQuery } from '@animal-store/pets-domain';
import { queryStringParser, RequestValidationPipe } from '@animal-store/http';
import { ListPetsQuery } from './list-pets.query.js';
import { PageCursors } from './page-cursors.js';

const cursors = new PageCursors(() => Promise.resolve(Buffer.alloc(32)));
const pipe = new RequestValidationPipe();
const parseQueryString = queryStringParser();

/** What the address means, as the controller gets it. */
async function pageQueryOf(queryString: string): Promise<PetPageQuery> {
  const query = pipe.transform(parseQueryString(queryString), {
    type: 'query',
    metatype: ListPetsQuery,
    data: undefined,
  });
  return await (query as ListPetsQuery).toPageQuery(cursors);
}

const LIMIT_RULE = 'limit must be an integer between 1 and 100, written once in plain decimal digits';
const STATUS_RULE = 'status must be one of available, pending, sold';

describe('the query of listPets', () => {
  test('asks for 20 animals of any status when it is empty', async () => {
    expect(await pageQueryOf('')).toEqual({ limit: 20 });
  });

  test('takes every limit from 1 to 100', async () => {
    const limits = Array.from({ length: 100 }, (_, index) => index + 1);
    const taken = await Promise.all(limits.map((limit) => pageQueryOf(`limit=${limit}`)));
    expect(taken.map(({ limit }) => limit)).toEqual(limits);
  });

  test.each([
    '0',
    '101',
    '1000',
    '-1',
    '1.5',
    '1e1',
    '0x10',
    '%2B5',
    '+5',
    '5%20',
    '05',
    '',
    '1_0',
    '%D9%A1',
    '5n',
    'ten',
  ])('refuses limit=%s', async (limit) => {
    await expect(pageQueryOf(`limit=${limit}`)).rejects.toThrow(LIMIT_RULE);
  });

  test('takes no other spelling of a limit than the plain one', async () => {
    const texts = fc.stringMatching(/^[-+ 0-9.eExX]{1,4}$/).filter((text) => !/^(?:[1-9][0-9]?|100)$/.test(text));
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        await expect(pageQueryOf(new URLSearchParams({ limit: text }).toString())).rejects.toThrow(LIMIT_RULE);
      }),
    );
  });

  test.each(['available', 'pending', 'sold'])('takes status=%s', async (status) => {
    expect(await pageQueryOf(`status=${status}`)).toEqual({ limit: 20, status });
  });

  test.each(['Sold', 'SOLD', '', 'sold%20', 'sold,pending', 'null', 'lost'])('refuses status=%s', async (status) => {
    await expect(pageQueryOf(`status=${status}`)).rejects.toThrow(STATUS_RULE);
  });

  test.each([
    ['limit=5&limit=5', LIMIT_RULE],
    ['status=sold&status=sold', STATUS_RULE],
    ['cursor=a&cursor=a', 'cursor must be the one that a Link header gave'],
    ['cursor=', 'cursor must be the one that a Link header gave'],
    ['stauts=sold', 'unknown query parameter "stauts": did you mean status?'],
    ['Limit=5', 'unknown query parameter "Limit": did you mean limit?'],
    ['status[]=sold', 'unknown query parameter "status[]": did you mean status?'],
    ['__proto__=1', 'unknown query parameter "__proto__": allowed are limit, status, cursor'],
  ])('refuses %s', async (queryString, message) => {
    await expect(pageQueryOf(queryString)).rejects.toThrow(message);
  });

  test('is refused with all its faults at once', async () => {
    await expect(pageQueryOf('limit=0&status=lost&ofset=1')).rejects.toThrow(
      `${LIMIT_RULE}; ${STATUS_RULE}; unknown query parameter "ofset": `,
    );
  });

  test('goes on after the animal that its cursor stands for', async () => {
    const cursor = await cursors.encode(9007199254740993n, 'sold');
    expect(await pageQueryOf(`limit=5&status=sold&cursor=${cursor}`)).toEqual({
      limit: 5,
      status: 'sold',
      afterId: 9007199254740993n,
    });
  });

  test('may ask for another limit on the way', async () => {
    const cursor = await cursors.encode(7n, undefined);
    expect(await pageQueryOf(`limit=100&cursor=${cursor}`)).toEqual({ limit: 100, afterId: 7n });
  });

  test('refuses a cursor of another filter', async () => {
    const cursor = await cursors.encode(7n, 'sold');
    await expect(pageQueryOf(`cursor=${cursor}`)).rejects.toThrow(
      /^cursor must be used exactly as a Link header gave it/,
    );
  });
});
