import fc from 'fast-check';
import { IsOptional, IsIn } from 'class-validator';
import { classTransformations } from '../accelerators/class-transformations.js';
import { queryStringParser } from '../requests/query-string.js';
import { IsInt64 } from '../validation/int64.decorator.js';
import { RequestClasses } from '../validation/request-class.js';
import { RequestValidationPipe } from '../validation/request-validation.pipe.js';
import { PageRequest, readPageRequest } from './page-request.js';

class ListOrdersQuery extends PageRequest {
  @IsOptional()
  @IsIn(['placed', 'delivered'])
  readonly status?: string;

  @IsOptional()
  @IsInt64()
  readonly petId?: bigint;
}

const pipe = new RequestValidationPipe();
const parseQueryString = queryStringParser();

/** What the address asks for, as the read model gets it. */
function pageQueryIn(queryString: string): unknown {
  const query = pipe.transform(parseQueryString(queryString), {
    type: 'query',
    metatype: ListOrdersQuery,
    data: undefined,
  });
  return readPageRequest(query as ListOrdersQuery).pageQuery;
}

const LIMIT_RULE = 'limit must be an integer between 1 and 100, written once in plain decimal digits';
const CURSOR_RULE = 'cursor must be the one that a Link header gave';

describe('the query of a list', () => {
  test('asks for 20 items when it is empty', () => {
    expect(pageQueryIn('')).toEqual({ limit: 20 });
  });

  test('asks for what its filters say', () => {
    expect(pageQueryIn('petId=9007199254740993&status=placed')).toEqual({
      limit: 20,
      status: 'placed',
      petId: 9007199254740993n,
    });
  });

  test('leaves its cursor to whoever can read it', () => {
    expect(pageQueryIn('limit=5&cursor=abc')).toEqual({ limit: 5 });
  });

  test('takes every limit from 1 to 100', () => {
    const limits = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(limits.map((limit) => pageQueryIn(`limit=${limit}`))).toEqual(limits.map((limit) => ({ limit })));
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
  ])('refuses limit=%s', (limit) => {
    expect(() => pageQueryIn(`limit=${limit}`)).toThrow(LIMIT_RULE);
  });

  test('takes no other spelling of a limit than the plain one', () => {
    const texts = fc.stringMatching(/^[-+ 0-9.eExX]{1,4}$/).filter((text) => !/^(?:[1-9][0-9]?|100)$/.test(text));
    fc.assert(
      fc.property(texts, (text) => {
        expect(() => pageQueryIn(new URLSearchParams({ limit: text }).toString())).toThrow(LIMIT_RULE);
      }),
    );
  });

  test.each([
    ['limit=5&limit=5', LIMIT_RULE],
    ['cursor=a&cursor=a', CURSOR_RULE],
    ['cursor=', CURSOR_RULE],
    ['status=lost', 'status must be one of the following values: placed, delivered'],
    ['ofset=1', 'unknown query parameter "ofset"'],
  ])('refuses %s', (queryString, message) => {
    expect(() => pageQueryIn(queryString)).toThrow(message);
  });

  test('is made without class-transformer where that has nothing to do, inherited members and all', async () => {
    const classes = new RequestClasses();
    classes.compileBy(await classTransformations());
    const made = classes.get(ListOrdersQuery)?.make?.({ limit: '5', petId: '7' }, { isText: true, instances: 0 });
    expect(made).toEqual(Object.assign(new ListOrdersQuery(), { limit: '5', petId: 7n }));
  });
});
