/** The greatest size that Node accepts for the request line and all header fields together, in bytes. */
export const HEADER_BYTES = 16_384;

/** The default of `BODY_LIMIT`. */
const BODY_BYTES = 1_048_576;

/** Texts whose repetition is difficult for patterns and loops. */
const UNITS = [
  ...['\t', ' ', ',', ', ', ';', '; ', '"', '""', '\\', "'", '%', '%25', '%zz', '%2F', '%C3%A4', '%F0%9F%98%80'],
  ...['/', '//', '/..', '..', '.', '?', '&', '=', '=&', 'a&', 'a=1&', '#', '@', ':', '[', '{', '(', '-', '_', '+', '*'],
  ...['0', '1', 'a', 'A', 'a_', 'a.', 'xn--a.', 'W/', 'W/"",', 'z0_', '\u00e4', '\u00ff', '\u{1F980}'],
];

/** Endings on which a pattern fails or matches. */
const ENDINGS = ['', 'x', '\u00a0'];

/** Texts of the given length. Each has one of the beginnings, then one unit many times, then one of the endings. */
export function* endlessTexts(beginnings: readonly string[], length: number): Generator<string> {
  for (const beginning of beginnings) {
    for (const unit of UNITS) {
      const body = beginning + unit.repeat((length - beginning.length) / unit.length);
      for (const ending of ENDINGS) yield body + ending;
    }
  }
}

type Part = (index: number) => string;

/** A JSON text with as many parts as fit into a body, `count` at most. */
function filled(opening: string, part: Part, closing: string, count = Infinity): string {
  const parts: string[] = [];
  let length = opening.length + closing.length;
  for (let index = 0; index < count; index += 1) {
    const text = part(index);
    length += Buffer.byteLength(text) + 1;
    if (length > BODY_BYTES) break;
    parts.push(text);
  }
  return opening + parts.join(',') + closing;
}

const name = (index: number) => index.toString(36);

/** Members and elements that cost more than their size: as many as a body may hold, and as many as fit. */
const PARTS: Readonly<Record<string, readonly [opening: string, part: Part, closing: string]>> = {
  'numbers beyond all numbers': ['[', () => '1e399', ']'],
  'fractions that are rounded to integers': ['[', () => '1.00000000000000000000001', ']'],
  'each name twice': ['{', (index) => `"${name(index >> 1)}":1`, '}'],
  'each long name twice': ['{', (index) => `"${'\\"'.repeat(500)}${index >> 1}":1`, '}'],
  'objects of which no two are alike': ['[', (index) => `{"${name(index)}":1}`, ']'],
  'objects in one another': ['[', () => `${'{"":'.repeat(97)}1${'}'.repeat(97)}`, ']'],
  'what is no JSON in the end': ['{', (index) => `"${name(index)}":1`, 'x'],
};

/** The number of members and elements of a body that is just within the bound. */
const WITHIN_BOUNDS = 19_900;

/** Bodies, with the name of their content. */
export function* hostileBodies(): Generator<[string, string]> {
  for (const [what, [opening, part, closing]] of Object.entries(PARTS)) {
    yield [what, filled(opening, part, closing)];
    yield [`${what}, within the bounds`, filled(opening, part, closing, WITHIN_BOUNDS / weight(part(0)))];
  }
  const most = BODY_BYTES - 100;
  yield ['lists that never close', '['.repeat(BODY_BYTES)];
  yield ['a category id of a million digits', `{"categoryId":${'9'.repeat(most)}}`];
  yield ['a category id with a million zeros and one', `{"name":"a","categoryId":0.${'0'.repeat(most)}1e${most}}`];
  for (const unit of [' ', '\\n', '\\"', '\\u20ac', '\\ud800', '\u20ac', '\u{1F980}', 'x', ':', '\\u0000']) {
    const text = unit.repeat(most / Buffer.byteLength(unit));
    yield [`a name of ${unit}`, `{"name":"${text}","categoryId":7}`];
    yield [`a member called ${unit}`, `{"${text}":7}`];
    yield [`a name of ${unit} without an end`, `{"name":"${text}`];
  }
  yield ['blanks behind a number', `{"categoryId":1.0${'\t'.repeat(most)}}`];
}

const BAD_LINE = '{"sku":5,"quantity":"x","weight":1.5,"evil":[]}';

/** Bodies of an order, with the name of their content: as many parts as a body may hold. */
export function* hostileOrders(): Generator<[string, string]> {
  const count = WITHIN_BOUNDS / weight(BAD_LINE);
  yield ['lines that break every rule', filled('{"lines":[', () => BAD_LINE, ']}', count)];
  yield ['lines without anything', filled('{"lines":[', () => '{}', ']}', WITHIN_BOUNDS / 2)];
  yield ['lines that are none', filled('{"lines":[', () => '1', ']}', WITHIN_BOUNDS)];
  yield ['lines in one another', filled('{"lines":[', () => `${'{"lines":['.repeat(48)}${']}'.repeat(48)}`, ']}', 190)];
  yield ['lists of lists', filled('{"lines":[', () => '[[{}]]', ']}', WITHIN_BOUNDS / 4)];
  yield ['unknown members', filled('{', (index) => `"${name(index)}":1`, '}', WITHIN_BOUNDS)];
  yield ['unknown members of a part', filled('{"gift":{', (index) => `"${name(index)}":1`, '}}', WITHIN_BOUNDS)];
  yield [
    'unknown members of many',
    filled('{"lines":[', () => filled('{', (index) => `"${name(index)}":1`, '}', 1_900), ']}', 10),
  ];
  yield ['members of what is not declared', filled('{"note":{', (index) => `"${name(index)}":1`, '}}', WITHIN_BOUNDS)];
  yield ['what is not declared', filled('{"note":[', () => '{"a":{"b":1}}', ']}', WITHIN_BOUNDS / 4)];
  yield ['ids', filled('{"petIds":[', () => '9223372036854775807', ']}', WITHIN_BOUNDS)];
  yield ['ids that are none', filled('{"petIds":[', () => '1.5', ']}', WITHIN_BOUNDS)];
  yield [
    'names that every object has',
    filled('{"note":[', () => '{"__proto__":1,"constructor":1}', ']}', WITHIN_BOUNDS / 4),
  ];
}

/** The number of members, elements, objects and arrays of a part. */
function weight(part: string): number {
  return 1 + (part.match(/[,{[]/g)?.length ?? 0);
}
