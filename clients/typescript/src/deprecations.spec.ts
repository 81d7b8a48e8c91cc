import { deprecationOf } from './deprecations.js';

const SINCE = '@1795132800';

function noticeOf(headers: Record<string, string>) {
  return deprecationOf(new Headers(headers), 'GET /pets/{petId}', 'abc');
}

describe('The notice of a deprecation', () => {
  test('says since when, until when, and what takes its place', () => {
    const sunset = 'Thu, 05 Dec 2030 00:00:00 GMT';
    expect(noticeOf({ deprecation: SINCE, sunset, link: '</v1/pets>; rel="successor-version"' })).toEqual({
      operation: 'GET /pets/{petId}',
      since: new Date('2026-11-20T00:00:00Z'),
      sunset: new Date('2030-12-05T00:00:00Z'),
      successor: '/v1/pets',
      requestId: 'abc',
      message:
        'GET /pets/{petId} is deprecated since 2026-11-20, to be removed on 2030-12-05; use /v1/pets (request abc)',
    });
  });

  test.each([[{ deprecation: 'true' }], [{ deprecation: '@x', sunset: 'never' }], [{ sunset: '2030' }]])(
    'is given though the fields say nothing that makes sense: %j',
    (headers) => {
      expect(noticeOf(headers as Record<string, string>)).toMatchObject({
        since: undefined,
        sunset: undefined,
        message: 'GET /pets/{petId} is deprecated (request abc)',
      });
    },
  );

  test('is none where nothing is deprecated', () => {
    expect(noticeOf({ link: '</v1/pets>; rel="next"' })).toBeUndefined();
  });
});
