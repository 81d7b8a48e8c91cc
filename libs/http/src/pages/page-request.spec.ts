import fc from 'fast-check';
import { IsOptional, IsIn } from 'class-validator';
import { IsInt64 } from '../validation/field-rules.decorators.js';
import { RequestValidationPipe } from '../validation/request-validation.pipe.js';
import { PageRequest, readPageRequest, type ReadPageRequest } from './page-request.js';

class ListOrdersQuery extends PageRequest {
  @IsOptional()
  @IsIn(['placed', 'delivered'])
  readonly status?: string;

  @IsOptional()
  @IsInt64()
  readonly petId?: bigint;
}

const pipe = new RequestValidationPipe();

async function read(query: object): Promise<ReadPageRequest<ListOrdersQuery>> {
  const instance = await pipe.transform(query, { type: 'query', metatype: ListOrdersQuery, data: undefined });
  return readPageRequest(instance as ListOrdersQuery);
}

const LIMIT_RULE = 'limit must be an integer between 1 and 100, written in plain decimal digits';
const CURSOR_RULE = 'cursor must be the one that a Link header gave';

describe('the query of a list', () => {
  test.each([
    [{}, { limit: 20 }],
    [
      { petId: '9007199254740993', status: 'placed' },
      { limit: 20, status: 'placed', petId: 9007199254740993n },
    ],
    [{ limit: '5', cursor: 'abc' }, { limit: 5 }],
  ])('asks for a limit and its filters: %j', async (query, pageQuery) => {
    expect((await read(query)).pageQuery).toEqual(pageQuery);
  });

  test('has the cursor apart from them', async () => {
    expect((await read({ cursor: 'abc' })).cursor).toBe('abc');
  });

  test('takes every limit from 1 to 100', async () => {
    const limits = Array.from({ length: 100 }, (_, index) => index + 1);
    const queries = await Promise.all(limits.map((limit) => read({ limit: String(limit) })));
    expect(queries.map(({ pageQuery }) => pageQuery.limit)).toEqual(limits);
  });

  test('takes no other spelling of a limit', async () => {
    const similar = fc
      .stringMatching(/^[-+ 0-9.,_eExXn\u0661]{0,4}$/)
      .filter((text) => !/^(?:[1-9][0-9]?|100)$/.test(text));
    await fc.assert(
      fc.asyncProperty(similar, async (limit) => {
        await expect(read({ limit })).rejects.toThrow(LIMIT_RULE);
      }),
    );
  });

  test.each([
    [{ limit: ['5', '5'] }, 'limit was sent 2 times: send it once'],
    [{ cursor: ['a', 'a'] }, 'cursor was sent 2 times: send it once'],
    [{ cursor: '' }, CURSOR_RULE],
    [{ status: 'lost' }, 'status must be one of the following values: placed, delivered'],
    [{ ofset: '1' }, 'unknown query parameter "ofset"'],
  ])('is refused as %j', async (query, message) => {
    await expect(read(query)).rejects.toThrow(message);
  });
});
