import { PetNotFoundError } from '@animal-store/pets-domain';
import { PetIdPipe } from './pet-id.pipe.js';

const pipe = new PetIdPipe();

describe('a petId', () => {
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
  ])('names no animal when it is %j', (text) => {
    expect(() => pipe.transform(text)).toThrow(PetNotFoundError);
  });

  test('is not repeated in the refusal when it is none: it may be a key in the wrong place', () => {
    expect(() => pipe.transform('asdev_secret')).toThrow(new PetNotFoundError());
    expect(() => pipe.transform('asdev_secret')).toThrow('There is no animal with this id');
  });
});
