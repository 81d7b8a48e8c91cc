import { queryStringParser, RequestValidationPipe } from '@animal-store/http';
import { ListPetsQuery } from './list-pets.query.js';

const pipe = new RequestValidationPipe();
const parseQueryString = queryStringParser();

/** What the address means, as the controller gets it. */
function queryOf(queryString: string): unknown {
  return pipe.transform(parseQueryString(queryString), { type: 'query', metatype: ListPetsQuery, data: undefined });
}

const STATUS_RULE = 'status must be one of available, pending, sold';

describe('the query of listPets', () => {
  test.each(['available', 'pending', 'sold'])('takes status=%s', (status) => {
    expect(queryOf(`status=${status}`)).toMatchObject({ status });
  });

  test.each(['Sold', 'SOLD', '', 'sold%20', 'sold,pending', 'null', 'lost'])('refuses status=%s', (status) => {
    expect(() => queryOf(`status=${status}`)).toThrow(STATUS_RULE);
  });

  test.each([
    ['status=sold&status=sold', STATUS_RULE],
    ['stauts=sold', 'unknown query parameter "stauts": did you mean status?'],
    ['Limit=5', 'unknown query parameter "Limit": did you mean limit?'],
    ['status[]=sold', 'unknown query parameter "status[]": did you mean status?'],
    ['__proto__=1', 'unknown query parameter "__proto__": allowed are limit, status, cursor'],
  ])('refuses %s', (queryString, message) => {
    expect(() => queryOf(queryString)).toThrow(message);
  });

  test('is refused with all its faults at once', () => {
    expect(() => queryOf('limit=0&status=lost&ofset=1')).toThrow(
      `limit must be an integer between 1 and 100, written once in plain decimal digits; ${STATUS_RULE}; unknown query parameter "ofset": `,
    );
  });
});
