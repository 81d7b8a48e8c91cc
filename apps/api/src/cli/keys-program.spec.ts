import { CommanderError } from 'commander';
import { ApiKey, type ApiKeyAdministration } from '@animal-store/auth';
import { keysProgram, parseDuration, parseExpiresIn } from './keys-program.js';

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
    administer: (work) => work(answers as ApiKeyAdministration, 'astest'),
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
  ['an unknown word', ['purge'], 'Use one of the commands create, list, rotate and revoke'],
  ['a name that cannot be', ['create', '--name', 'a b'], 'Use 1 to 64 letters, digits, and . _ -'],
  ['the name of the key of the environment', ['create', '--name', 'bootstrap'], 'not the word bootstrap'],
  ['a duration without a unit', ['create', '--name', 'a', '--expires-in', '90'], 'Use a number and a unit'],
  ['a grace that cannot be', ['rotate', 'a', '--grace', 'soon'], 'Use a number and a unit'],
  ['nothing to revoke', ['revoke'], 'give either a name or --id'],
  ['two things to revoke', ['revoke', 'a', '--id', '1'], 'give either a name or --id'],
  [
    'a scope that cannot be',
    ['create', '--name', 'a', '--scope', 'Orders'],
    'Use lower-case words separated by colons',
  ],
  ['an id that cannot be', ['revoke', '--id', 'x'], 'Give the id of a key, such as 17.'],
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

  test.each([[['--help']], [['create', '--help']]])('are explained by %j', async (words) => {
    const { exitCode, printed } = await say(words);
    expect(exitCode).toBe(0);
    expect(printed).toContain('Usage: keys');
  });

  test('say what a scope does not limit', async () => {
    const { printed } = await say(['create', '--help']);
    expect(printed.replaceAll(/\s+/g, ' ')).toContain('A scope limits only routes that declare one');
  });
});

describe('a created key', () => {
  test.each<[string[], readonly string[] | undefined]>([
    [[], undefined],
    [
      ['--scope', 'orders:write', '--scope', 'orders:read', '--scope', 'orders:write'],
      ['orders:write', 'orders:read'],
    ],
  ])('has the scopes of its options: %j', async (options, scopes) => {
    let created: ApiKey | undefined;
    const create = (key: ApiKey) => Promise.resolve((created = Object.assign(key, { id: 1n, createdAt: new Date() })));
    await say(['create', '--name', 'shop', ...options], { create });
    expect(created?.scopes).toEqual(scopes);
  });
});

describe('the list of keys', () => {
  const hash = 'f'.repeat(64);
  const createdAt = new Date('2026-01-02T03:04:05Z');
  const keys = [
    Object.assign(new ApiKey('shop', hash, undefined, 'aslive_live', ['orders:read', 'orders:write']), {
      id: 3n,
      createdAt,
    }),
    Object.assign(new ApiKey('shop', hash, new Date('2026-02-01'), 'aslive_over'), { id: 4n, createdAt }),
  ];
  const answers = { list: () => Promise.resolve(keys) };

  test('has the state of each key and when it ends, a line for each', async () => {
    const { printed } = await say(['list'], answers);
    expect(printed.split('\n').map((line) => line.split('\t'))).toEqual([
      ['id', 'name', 'hint', 'state', 'scopes', 'createdAt', 'expiresAt', 'revokedAt', 'lastUsedAt'],
      ['3', 'shop', 'aslive_live', 'active', 'orders:read orders:write', '2026-01-02T03:04:05.000Z', '-', '-', '-'],
      ['4', 'shop', 'aslive_over', 'expired', '-', '2026-01-02T03:04:05.000Z', '2026-02-01T00:00:00.000Z', '-', '-'],
    ]);
  });

  test('holds no hash, for people or for programs', async () => {
    const outcomes = [await say(['list'], answers), await say(['list', '--json'], answers)];
    expect(outcomes.map(({ printed }) => printed).join()).not.toContain('ffff');
  });
});

const NOW = new Date('2026-11-21T12:00:00Z');

describe('a duration', () => {
  test.each([
    ['0s', 0],
    ['90s', 90_000],
    ['2w', 1_209_600_000],
    ['36500d', 3_153_600_000_000],
  ])('may be %s', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  test.each(['', '90', 'd', '-1d', '1.5h', '1d ', '1D', '1y'])('may not be %j', (text) => {
    expect(() => parseDuration(text)).toThrow('Use a number and a unit (s, m, h, d or w)');
  });

  test.each(['36501d'])('may not be as long as %s', (text) => {
    expect(() => parseDuration(text)).toThrow('Use at most 100 years');
  });
});

describe('the time until the expiry', () => {
  test('counts from now', () => {
    expect(parseExpiresIn('90d', NOW)).toEqual(new Date('2027-02-19T12:00:00Z'));
  });

  test('may be never', () => {
    expect(parseExpiresIn('never', NOW)).toBeNull();
  });

  test('may not be nothing', () => {
    expect(() => parseExpiresIn('0d', NOW)).toThrow('Use a duration of more than zero');
  });
});
