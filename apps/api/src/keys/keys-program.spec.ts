import { CommanderError } from 'commander';
import { ApiKey, type ApiKeyAdministration } from '@animal-store/auth';
import { keysProgram } from './keys-program.js';

interface Outcome {
  /** As Commander has it; nothing when the words were right. */
  readonly exitCode: number | undefined;
  readonly printed: string;
  readonly complained: string;
}

/** Says the words to the program, on keys that answer as little as a command needs. */
async function say(words: readonly string[], answers: Partial<ApiKeyAdministration> = {}): Promise<Outcome> {
  let [printed, complained] = ['', ''];
  const program = keysProgram({
    prefix: () => 'astest',
    administer: (work) => work(answers as ApiKeyAdministration),
    print: (text) => (printed += text),
    writeErr: (text) => (complained += text),
  });
  const exitCode = await program.parseAsync(words, { from: 'user' }).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof CommanderError) return error.exitCode;
      throw error;
    },
  );
  return { exitCode, printed, complained };
}

const WRONG_WORDS: [string, string[], string][] = [
  ['no word', [], 'Usage: keys'],
  ['an unknown word', ['purge'], 'One of create, list, rotate, revoke and audit is expected'],
  ['a mistyped word', ['crate'], 'Did you mean create?'],
  ['an unknown option', ['list', '--jason'], 'Did you mean --json?'],
  ['too many words', ['rotate', 'a', 'b'], 'too many arguments'],
  ['no name for a new key', ['create'], "required option '--name <name>' not specified"],
  ['no value', ['create', '--name'], "option '--name <name>' argument missing"],
  ['a name that cannot be', ['create', '--name', 'a b'], '1 to 64 letters, digits and . _ - are expected'],
  ['the name of the key of the environment', ['create', '--name', 'bootstrap'], 'nor the word bootstrap'],
  ['a duration without a unit', ['create', '--name', 'a', '--expires-in', '90'], 'A number and a unit'],
  ['a grace that cannot be', ['rotate', 'a', '--grace', 'soon'], 'A number and a unit'],
  ['nothing to revoke', ['revoke'], 'either a name or --id is expected'],
  ['two things to revoke', ['revoke', 'a', '--id', '1'], 'either a name or --id is expected'],
  ['an id that cannot be', ['revoke', '--id', 'x'], 'The id of a key is expected, such as 17.'],
];

describe('the words of keys', () => {
  test.each(WRONG_WORDS)('are refused for %s, in words that say what is expected', async (_what, words, sentence) => {
    const { exitCode, printed, complained } = await say(words);
    expect({ wrong: exitCode !== 0 && exitCode !== undefined, printed }).toEqual({ wrong: true, printed: '' });
    expect(complained).toContain(sentence);
  });

  test.each([['revoke'], ['rotate'], ['create', '--name'], ['create', '--name', 'a', '--actor'], ['crate'], ['list']])(
    'are told without a key that was typed where another word belongs: %s %s %s %s',
    async (...words) => {
      const key = `aslive_${'0a'.repeat(15)}1_0abcdef`;
      const { exitCode, printed, complained } = await say([...words, key]);
      expect(exitCode).toBeGreaterThan(0);
      expect(printed + complained).not.toContain(key.slice(0, 20));
    },
  );

  test.each([
    [['--help']],
    [['create', '--help']],
    [['list', '--help']],
    [['rotate', '-h']],
    [['help', 'revoke']],
    [['audit', '--help']],
  ])('are explained by %j', async (words) => {
    const { exitCode, printed } = await say(words);
    expect(exitCode).toBe(0);
    expect(printed).toContain('Usage: keys');
    expect(printed).toContain('Exit codes:');
  });
});

describe('the list of keys', () => {
  const hash = 'f'.repeat(64);
  const createdAt = new Date('2026-01-02T03:04:05Z');
  const keys = [
    Object.assign(new ApiKey('shop', hash, undefined, 'aslive_live'), { id: 3n, createdAt }),
    Object.assign(new ApiKey('shop', hash, new Date('2026-02-01'), 'aslive_over'), { id: 4n, createdAt }),
  ];
  const answers = { list: () => Promise.resolve(keys) };

  test('has the state of each key and when it ends, a line for each', async () => {
    const { printed } = await say(['list'], answers);
    expect(printed.split('\n').map((line) => line.split('\t'))).toEqual([
      ['id', 'name', 'hint', 'state', 'createdAt', 'expiresAt', 'revokedAt', 'lastUsedAt'],
      ['3', 'shop', 'aslive_live', 'active', '2026-01-02T03:04:05.000Z', '-', '-', '-'],
      ['4', 'shop', 'aslive_over', 'expired', '2026-01-02T03:04:05.000Z', '2026-02-01T00:00:00.000Z', '-', '-'],
    ]);
  });

  test('holds no hash, for people or for programs', async () => {
    const outcomes = [await say(['list'], answers), await say(['list', '--json'], answers)];
    expect(outcomes.map(({ printed }) => printed).join()).not.toContain('ffff');
  });
});
