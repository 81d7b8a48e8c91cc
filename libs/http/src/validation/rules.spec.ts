import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import fc from 'fast-check';
import { FROM_STRINGS, IsInt64, IsText, Optional, Satisfies } from './rules.js';

const INT64 = 'must be an integer between -9223372036854775808 and 9223372036854775807, written as a JSON number';
const { jest } = import.meta;

const weekday = (value: unknown) => (value === 'Sunday' ? 'must be a day on which the shop is open' : undefined);

class Order {
  @Optional()
  @IsInt64()
  id?: unknown;

  @Optional()
  @IsInt64({ each: true })
  ids?: unknown;

  @Optional()
  @IsText(1, 3)
  text?: unknown;

  @Optional()
  @IsText(1, 3, { each: true })
  texts?: unknown;

  @Optional()
  @Satisfies(weekday)
  day?: unknown;
}

class Required {
  @IsInt64()
  id!: bigint;

  @IsText(1, 3)
  text!: string;

  @Satisfies((value) => (value === undefined ? 'must be true' : undefined))
  isPaid!: boolean;
}

/** The messages of the rules, or the values if all are satisfied. */
async function check(value: object, options = {}, type: new () => object = Order): Promise<unknown> {
  const instance = plainToInstance(type, value, options);
  const errors = await validate(instance);
  return errors.length === 0 ? { ...instance } : errors.flatMap(({ constraints = {} }) => Object.values(constraints));
}

describe('@IsInt64()', () => {
  test.each([
    [7, 7n],
    [9223372036854775807n, 9223372036854775807n],
    [-9223372036854775808n, -9223372036854775808n],
  ])('gives %s as a bigint', async (sent, id) => {
    expect(await check({ id: sent })).toMatchObject({ id });
  });

  test.each([1.5, '7', null, 9223372036854775808n, -9223372036854775809n, true, [], {}, [7], Number.NaN])(
    'refuses %p',
    async (id) => {
      expect(await check({ id })).toEqual([`id ${INT64}`]);
    },
  );

  test('takes lists with { each: true }', async () => {
    expect(await check({ ids: [1, 2n] })).toMatchObject({ ids: [1n, 2n] });
    expect(await check({ ids: [1, 'x'] })).toEqual([`each value in ids ${INT64}`]);
  });

  test('takes plain decimal digits where all values are texts', async () => {
    expect(await check({ id: '-9007199254740993' }, FROM_STRINGS)).toMatchObject({ id: -9007199254740993n });
    for (const id of ['1.0', '1e3', '+5', ' 5', '0x10', '05', '', '-0', '9223372036854775808'])
      expect(await check({ id }, FROM_STRINGS)).toEqual([`id ${INT64}`]);
  });
});

describe('@IsText()', () => {
  test('counts code points, and takes what PostgreSQL can store', async () => {
    const texts = fc.string({ unit: 'binary', maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const { length } = Array.from(text);
        const isValid = length >= 1 && length <= 3 && !text.includes('\0');
        expect(Array.isArray(await check({ text }))).toBe(!isValid);
      }),
    );
  });

  test.each<[unknown, string]>([
    ['', 'must be a string of 1 to 3 characters'],
    [null, 'must be a string of 1 to 3 characters'],
    [['a'], 'must be a string of 1 to 3 characters'],
    ['a\0', 'must have neither NUL nor half of a surrogate pair'],
    ['\ud800', 'must have neither NUL nor half of a surrogate pair'],
  ])('refuses %p', async (text, message) => {
    expect(await check({ text })).toEqual([`text ${message}`]);
    expect(await check({ texts: [text] })).toEqual([`each value in texts ${message}`]);
  });

  test('does not count the characters of a text that is too long in any case', async () => {
    const from = jest.spyOn(Array, 'from');
    await check({ text: 'x'.repeat(100_000) });
    const counted = from.mock.calls.filter(([text]) => typeof text === 'string').length;
    from.mockRestore();
    expect(counted).toBe(0);
  });
});

describe('@Optional() and @Satisfies()', () => {
  test('let a member be missing, and nothing else', async () => {
    expect(await check({})).toEqual({});
    expect(await check({ day: null })).toMatchObject({ day: null });
    expect(await check({ id: null })).toEqual([`id ${INT64}`]);
  });

  test('say what the rule says, as a sentence', async () => {
    expect(await check({ day: 'Sunday' })).toEqual(['day must be a day on which the shop is open']);
  });

  test('say of a member that is missing that it is required', async () => {
    expect(await check({}, {}, Required)).toEqual([
      `id is required and ${INT64}`,
      'text is required and must be a string of 1 to 3 characters',
      'isPaid is required and must be true',
    ]);
  });
});
