import { Body, Controller, Module, Post } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsInt, IsString, ValidateNested } from 'class-validator';
import { Optional } from '@animal-store/http';
import { createMigratedDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { useApp, type RequestOptions } from '../support/running-app.js';
import { StepCounter } from './step-count.js';

class Line {
  @IsInt()
  quantity!: number;

  @Optional()
  @IsString()
  note?: string;
}

class Order {
  @ArrayMaxSize(50)
  @ValidateNested({ each: true })
  @Type(() => Line)
  lines!: Line[];
}

/** Lists without a bound of their own. */
class Unbounded {
  @Optional()
  @ValidateNested({ each: true })
  @Type(() => Line)
  lines?: Line[];

  @Optional()
  @IsString()
  text?: string;
}

@Controller({ path: 'lists', version: '1' })
class ListsController {
  @Post('bounded')
  bounded(@Body() order: Order): number {
    return order.lines.length;
  }

  @Post('unbounded')
  unbounded(@Body() order: Unbounded): number | undefined {
    return order.lines?.length;
  }
}

@Module({ controllers: [ListsController] })
class ListsModule {}

const repeat = (text: string, count: number) => Array<string>(count).fill(text).join(',');
const members = (count: number) => `{${Array.from({ length: count }, (_, index) => `"m${index}":1`).join(',')}}`;

/** Bodies that are refused by their size or their type: nothing is made of what they hold. */
const COUNTED: readonly (readonly [what: string, path: string, size: number, bodyOf: (size: number) => string])[] = [
  ['a number of digits with zeros in the middle', 'pets', 50_000, (size) => `{"categoryId":1.${'0'.repeat(size)}1}`],
  ['an object of many members', 'pets', 5_000, members],
  ['an object of many members in the place of a text', 'pets', 5_000, (size) => `{"name":${members(size)}}`],
  ['a list in the place of a text', 'pets', 20_000, (size) => `{"name":[${repeat('"a"', size)}]}`],
  ['a list in the place of an object', 'pets', 20_000, (size) => `[${repeat('{}', size)}]`],
  ['a text of escapes', 'pets', 400_000, (size) => `{"name":"${'\\n'.repeat(size)}"}`],
  ['deep lists', 'pets', 20_000, (size) => '['.repeat(size) + ']'.repeat(size)],
  ['broken JSON', 'pets', 50_000, (size) => `{"name":"${'a'.repeat(size)}"`],
];

const OTHER_BODIES: typeof COUNTED = [
  ['a list of objects in the place of a text', 'lists/unbounded', 5_000, (size) => `{"text":[${repeat('{}', size)}]}`],
  ['many objects in a list that has a bound', 'lists/bounded', 1_000, (size) => `{"lines":[${repeat('{}', size)}]}`],
  ['many numbers with fractions', 'pets', 5_000, (size) => `{"name":[${repeat('1.50', size)}]}`],
  ['many objects of 400 members', 'pets', 10, (size) => `{"name":[${repeat(members(400), size)}]}`],
  ['many wrong objects in a list', 'lists/unbounded', 1_000, (size) => `{"lines":[${repeat('{"a":1}', size)}]}`],
  ['many texts in the place of objects', 'lists/unbounded', 1_000, (size) => `{"lines":[${repeat('"a"', size)}]}`],
  [
    'names of methods below a long name that is not Latin-1',
    'pets',
    3_500,
    (size) => `{"\u0107${'a'.repeat(14 * size)}":[${repeat('{"valueOf":1}', size)}]}`,
  ],
  ['a long name of a member', 'pets', 100_000, (size) => `{"${'stat'.repeat(size / 4)}":1}`],
];

/** How the address and the header fields of a request of a size are made. */
const HEADS: readonly (readonly [string, number, (size: number) => [path: string, fields?: Record<string, string>]])[] =
  [
    ['parameters with different names', 600, (size) => [`/v1/pets?${repeat('a', size).replaceAll(',', '&b=')}`]],
    ['one parameter repeated', 1_500, (size) => [`/v1/pets?${repeat('a', size).replaceAll(',', '&')}`]],
    ['a parameter of blanks', 4_000, (size) => [`/v1/pets?limit=${'+'.repeat(size)}`]],
    ['a long cursor', 6_000, (size) => [`/v1/pets?cursor=${'A'.repeat(size)}`]],
    ['an address of slashes', 6_000, (size) => [`/v1${'/'.repeat(size)}`]],
    ['an address of broken escapes', 6_000, (size) => [`/v1/pets/${'%'.repeat(size)}`]],
    ['a long id', 6_000, (size) => [`/v1/pets/${'9'.repeat(size)}`]],
    ['many entity tags', 1_000, (size) => ['/v1/pets', { 'if-none-match': repeat('W/"a"', size) }]],
    ['an entity tag of blanks', 5_000, (size) => ['/v1/pets', { 'if-none-match': `"${' '.repeat(size)}x` }]],
    ['a long Idempotency-Key', 6_000, (size) => ['/v1/pets', { 'idempotency-key': 'a'.repeat(size) }]],
    ['a long X-Request-Id', 6_000, (size) => ['/v1/pets', { 'x-request-id': `${'a'.repeat(size)}<` }]],
    ['a long key', 6_000, (size) => ['/v1/pets', { authorization: `Bearer ${'a'.repeat(size)}` }]],
    ['a key behind blanks', 6_000, (size) => ['/v1/pets', { authorization: `Bearer${' '.repeat(size)}a b` }]],
    [
      'a long type of a body',
      6_000,
      (size) => ['/v1/pets', { 'content-type': `application/json${' '.repeat(size)}x` }],
    ],
  ];

type Sent = [path: string, options: RequestOptions];

function post(path: string, body: string, own: Record<string, string> = {}): Sent {
  return [path, { method: 'POST', headers: { 'content-type': 'application/json', ...own }, body }];
}

/** Every kind of request, by its name, with its size and what makes one of a size. */
const REQUESTS = new Map<string, { size: number; requestOf: (size: number) => Sent }>([
  ...[...COUNTED, ...OTHER_BODIES].map(
    ([what, path, size, bodyOf]) =>
      [what, { size, requestOf: (of: number) => post(`/v1/${path}`, bodyOf(of)) }] as const,
  ),
  ...HEADS.map(([what, size, headOf]) => {
    const requestOf = (of: number): Sent => {
      const [path, headers = {}] = headOf(of);
      const isOfPost = 'content-type' in headers || 'idempotency-key' in headers;
      return isOfPost ? post(path, '{"name":"Rex","categoryId":7}', headers) : [path, { headers }];
    };
    return [what, { size, requestOf }] as const;
  }),
]);

describe('what is made of a request of twice the size', () => {
  const app = useApp(createMigratedDatabase, { BODY_LIMIT: '8m' }, { features: [ListsModule] });
  const measured = new Map<string, { once: number; twice: number; statuses: number[] }>();

  /** @returns the status of the response */
  async function ask([path, options]: Sent): Promise<number> {
    const answer = await app.request(path, options);
    if (answer.ok) await answer.arrayBuffer();
    else await readError(answer);
    return answer.status;
  }

  beforeAll(async () => {
    // The first request of a kind does what is done once.
    for (const { size, requestOf } of REQUESTS.values()) await ask(requestOf(size));
    const steps = new StepCounter();
    await steps.start();
    for (const [what, { size, requestOf }] of REQUESTS) {
      const statuses: number[] = [];
      const [one, other] = [requestOf(size), requestOf(2 * size)];
      const once = await steps.count(async () => statuses.push(await ask(one)));
      const twice = await steps.count(async () => statuses.push(await ask(other)));
      measured.set(what, { once, twice, statuses });
    }
    steps.stop();
  }, 120_000);

  test.each(COUNTED)('is five steps a part at most, as it is only counted: %s', (what, _path, size) => {
    const { once, twice } = measured.get(what)!;
    expect((twice - once) / size).toBeLessThan(5);
  });

  test.each([...OTHER_BODIES, ...HEADS].map(([what]) => what))('takes at most twice the steps: %s', (what) => {
    const { once, twice } = measured.get(what)!;
    expect(twice / once).toBeLessThan(2.2);
  });

  test('has the same status, and is no failure', () => {
    const changed = [...measured].filter(([, { statuses }]) => statuses[0] !== statuses[1] || statuses[0]! >= 500);
    expect([measured.size, changed]).toEqual([REQUESTS.size, []]);
  });
});
