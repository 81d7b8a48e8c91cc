import { Int64IdPipe } from './int64-id.pipe.js';

const pipe = new Int64IdPipe('order');
const REFUSAL = {
  message: 'There is no order with this id: an id is a 64-bit integer in decimal digits',
  response: expect.objectContaining({ code: 'not_found', status: 404 }),
};

describe('an id in a path', () => {
  test.each([
    ['1', 1n],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['0', 0n],
  ])('is read exactly: %s', (text, id) => {
    expect(pipe.transform(text)).toBe(id);
  });

  test.each([
    '',
    'abc',
    '01',
    '+1',
    '1.0',
    '1e3',
    ' 1',
    '0x1',
    '-0',
    '9223372036854775808',
    '-9223372036854775809',
    '%31',
  ])('names nothing when it is %j', (text) => {
    expect(() => pipe.transform(text)).toThrow(expect.objectContaining(REFUSAL) as Error);
  });
});
