import { examplesOf, fencedBlocks } from './fenced-blocks.js';

const PAGE = `# Page

\`\`\`sh service=limited in=repository
curl "$STORE/pets"

echo done
\`\`\`

It prints:

\`\`\`json
[]
\`\`\`

\`\`\`js
console.log(1);
\`\`\`
`;

describe('the fenced blocks of a page', () => {
  test('are found with their language, their options and their line', () => {
    expect(fencedBlocks(PAGE)).toEqual([
      {
        language: 'sh',
        options: { service: 'limited', in: 'repository' },
        text: 'curl "$STORE/pets"\n\necho done',
        line: 3,
      },
      { language: 'json', options: {}, text: '[]', line: 11 },
      { language: 'js', options: {}, text: 'console.log(1);', line: 15 },
    ]);
  });

  test.each([
    ['is never closed', '```sh\ncurl'],
    ['is made of tildes', '~~~sh\ncurl\n~~~'],
    ['is indented, as in a list', '- so:\n\n  ```sh\n  curl\n  ```'],
  ])('are refused where one %s', (_what, markdown) => {
    expect(() => fencedBlocks(markdown)).toThrow(/^Line \d+: /);
  });
});

describe('the examples of a page', () => {
  const block = (language: string, options = {}) => ({ language, options, text: '', line: 1 });

  test('are the commands, each with the output that stands behind it', () => {
    const [command, output, other] = [block('sh'), block('json'), block('js')];
    expect(examplesOf([command, output, other], ['sh', 'js'])).toEqual([
      { command, output },
      { command: other, output: undefined },
    ]);
  });

  test('are refused in a language that nobody knows how to run', () => {
    expect(() => examplesOf([block('cobol')], ['sh'])).toThrow('Line 1: nobody knows how to run "cobol"');
  });

  test('are refused without a language', () => {
    expect(() => examplesOf([block('')], ['sh'])).toThrow('Line 1: nobody knows how to run ""');
  });

  test.each([
    ['before any command', [block('json')]],
    ['behind another output', [block('sh'), block('http'), block('json')]],
  ])('are refused with an output %s', (_where, blocks) => {
    expect(() => examplesOf(blocks, ['sh'])).toThrow('Line 1: this output is of no command');
  });
});
