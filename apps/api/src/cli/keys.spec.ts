import { hashApiKey, type ApiKey, type ApiKeyAdministration } from '@animal-store/auth';
import { CommanderError } from 'commander';
import { keysProgram, parseDuration } from './keys.js';

const { jest } = import.meta;

interface Outcome {
  /** As Commander has it; nothing when the words were right. */
  readonly exitCode: number | undefined;
  readonly printed: string;
  readonly complained: string;
}

/** Says the words to the program, on keys that answer as little as a command needs. */
async function say(words: readonly string[], answers: Partial<ApiKeyAdministration> = {}): Promise<Outcome> {
  let [printed, complained] = ['', ''];
  const note = (text: unknown) => (printed += String(text)) !== '';
  jest.spyOn(console, 'log').mockImplementation(note);
  jest.spyOn(process.stdout, 'write').mockImplementation(note);
  jest.spyOn(console, 'error').mockImplementation((text) => void (complained += String(text)));
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => (complained += String(text)) !== '');
  const program = keysProgram((work) => work(answers as ApiKeyAdministration, 'astest'));
  for (const command of [program, ...program.commands]) command.exitOverride();
  const exitCode = await program.parseAsync(words, { from: 'user' }).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof CommanderError) return error.exitCode;
      throw error;
    },
  );
  jest.restoreAllMocks();
  return { exitCode, printed, complained };
}

describe('the words of keys', () => {
  test.each<[string, string[], string]>([
    ['no word', [], 'Usage: keys'],
    ['an unknown word', ['purge'], "error: unknown command 'purge'"],
    ['no name', ['create'], "error: required option '--name <name>' not specified"],
    ['a wrong name', ['create', '--name', 'a b'], 'Use 1 to 64 letters, digits, and . _ -'],
    ['the name of the key of the environment', ['create', '--name', 'bootstrap'], 'not the word bootstrap'],
    ['a duration without a unit', ['create', '--name', 'a', '--expires-in', '90'], 'Use a number and a unit'],
    ['a wrong grace period', ['rotate', 'a', '--grace', 'soon'], 'Use a number and a unit'],
    ['nothing to revoke', ['revoke'], "error: missing required argument 'name'"],
    ['a wrong scope', ['create', '--name', 'a', '--scope', 'Orders'], 'Use lower-case words separated by colons'],
  ])('are refused for %s, with what is expected', async (_what, words, sentence) => {
    const { exitCode, printed, complained } = await say(words);
    expect({ exitCode, printed }).toEqual({ exitCode: 1, printed: '' });
    expect(complained).toContain(sentence);
  });
});

describe('a created key', () => {
  test.each<[string[], readonly string[] | undefined]>([
    [[], undefined],
    [
      ['--scope', 'orders:write', '--scope', 'orders:read', '--scope', 'orders:write'],
      ['orders:write', 'orders:read'],
    ],
  ])('is alone on the standard output, and has the scopes of its options: %j', async (options, scopes) => {
    const stored: ApiKey[] = [];
    const create = (key: ApiKey) => {
      stored.push(key);
      return Promise.resolve(Object.assign(key, { id: 1n, createdAt: new Date() }));
    };
    const { printed, complained } = await say(['create', '--name', 'shop', ...options], { create });
    expect(stored.map((key) => key.scopes)).toEqual([scopes]);
    expect(hashApiKey(printed)).toBe(stored[0]?.hash);
    expect(complained).toContain(scopes?.join(' ') ?? 'shop');
  });
});

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
});
