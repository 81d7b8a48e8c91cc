import { checkOutline, MAX_JSON_DEPTH } from './json-outline.js';

describe('a member that is given twice', () => {
  test.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"b":2,"b":3}', 'b'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"x":{"a":1,"a":2}}', 'a'],
    ['[{"a":1},{"a":1,"a" \n :2}]', 'a'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"\\"":1,"\\"":2}', '"'],
    ['{"a":{"b":1},"a":1}', 'a'],
  ])('is refused by its name: %s', (text, name) => {
    expect(() => {
      checkOutline(text, JSON.parse(text));
    }).toThrow(`The body gives ${name} more than once`);
  });

  test.each([
    '[{"a":1},{"a":2}]',
    '{"a":{"a":{"a":1}}}',
    '{"a":"\\"b\\":1","b":"\\"b\\":2"}',
    '{"a":"b","b":"a"}',
    '["a","a"]',
    '["a",":a",":a"]',
    '{"a":["a:","a:"]}',
    '{"a":"b:","c":1}',
  ])('is not seen where there is none: %s', (text) => {
    expect(() => {
      checkOutline(text, JSON.parse(text));
    }).not.toThrow();
  });

  test('is found in a text of a megabyte of escapes without running out of stack', () => {
    const long = JSON.stringify('\n"\\'.repeat(170_000));
    expect(() => {
      const text = `{"a":${long},"a":${long}}`;
      checkOutline(text, JSON.parse(text));
    }).toThrow('more than once');
  });
});

function nested(depth: number): string {
  return '[{"a":'.repeat(depth / 2) + '1' + '}]'.repeat(depth / 2);
}

describe('a JSON text', () => {
  test('may be nested 100 levels deep, also behind what closed before or stands in a string', () => {
    const text = `["${'['.repeat(1_000)}\\"${'{'.repeat(1_000)}",${'[{}],'.repeat(1_000)}${nested(MAX_JSON_DEPTH - 2)}]`;
    for (const one of [nested(MAX_JSON_DEPTH), text])
      expect(() => {
        checkOutline(one, JSON.parse(one));
      }).not.toThrow();
  });

  test.each([
    ['one level more', `[${nested(MAX_JSON_DEPTH)}]`],
    ['a million lists', '['.repeat(1_000_000) + ']'.repeat(1_000_000)],
  ])('is refused when it is nested deeper: %s', (_what, text) => {
    expect(() => {
      checkOutline(text, JSON.parse(text));
    }).toThrow('The body is nested more than 100 levels deep');
  });
});
