import { quoted } from './curl-script.js';

describe('a word of the shell', () => {
  test.each([
    ['', "''"],
    ['plain', "'plain'"],
    ["it's", String.raw`'it'\''s'`],
    ['$(id) `id` "x" \\ ! *\n', '\'$(id) `id` "x" \\ ! *\n\''],
    ['caf\u00e9 100%\t\\', String.raw`"$(printf 'caf\351 100\045\011\134')"`],
    ["-n '\u0080", String.raw`"$(printf '\055n \047\200')"`],
  ])('that means %j', (text, word) => {
    expect(quoted(text)).toBe(word);
  });
});
