import { parseJsonBody } from './json-body.js';

function refusal(text: string): string {
  try {
    parseJsonBody(Buffer.from(text));
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It was not refused');
}

describe('a body that is no JSON', () => {
  test.each([
    ['{"a":1,}', 'position 7'],
    ['{"a":1 "b":2}', 'position 7'],
    [`{"a":1}${' '.repeat(1_000)}x`, 'position 1007'],
    ['{"a":"\n"}', 'position 6'],
    ['{"a":1.}', 'position 7'],
  ])('is refused with where it ceases to be: %j', (text, position) => {
    expect(refusal(text)).toBe(`The body is not valid JSON, from ${position} on`);
  });

  test.each(['', '{"position 1 (line 1 column 2)":x}', '{"position 7": y}'])(
    'is refused without a place where the engine tells none: %j',
    (text) => {
      expect(refusal(text)).toBe('The body is not valid JSON');
    },
  );
});
