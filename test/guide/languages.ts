import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The folder and the environment in which an example runs. */
export interface Place {
  readonly folder: string;
  /** They win over what an earlier example has exported. */
  readonly variables: Readonly<Record<string, string>>;
}

interface Language {
  /** Why examples in this language cannot be run on this machine. `undefined` if they can be run. */
  readonly missing: () => string | undefined;
  /** The file that holds the example. */
  readonly file: string;
  readonly command: (file: string) => readonly string[];
  /** Adds the text around the example, and further files. */
  readonly prepare?: (text: string, place: Place) => string;
}

/** A variable that a block exports is visible in all later blocks, as in the terminal of a reader. */
const EXPORT = /^export /m;
const EXPORTED = 'exported';

/** All languages that the guide may use. */
const LANGUAGES: Readonly<Record<string, Language>> = {
  sh: {
    missing: () => missingProgram('bash', '--version') ?? missingProgram('curl', '--version'),
    file: 'example.sh',
    command: (file) => ['bash', file],
    prepare: (text, { folder }) =>
      ['set -e -o pipefail', text, ...(EXPORT.test(text) ? [`export -p > "${join(folder, EXPORTED)}"`] : [])].join(
        '\n',
      ),
  },
  js: { missing: () => undefined, file: 'example.mjs', command: (file) => [process.execPath, file] },
  python: {
    missing: () => missingProgram('python3', '-c', 'import requests'),
    file: 'example.py',
    command: (file) => ['python3', file],
  },
};

export const LANGUAGE_NAMES: readonly string[] = Object.keys(LANGUAGES);

function missingProgram(program: string, ...question: string[]): string | undefined {
  try {
    execFileSync(program, question, { stdio: 'ignore' });
    return undefined;
  } catch {
    return `${[program, ...question].join(' ')} fails: it is not installed`;
  }
}

/** Why examples in this language are skipped on this machine. */
export function reasonToSkip(language: string): string | undefined {
  return LANGUAGES[language]!.missing();
}

/**
 * Runs an example as a reader does. @returns the text on standard output
 *
 * @param cwd the working directory. Default: the folder of the place
 * @throws Error with the whole output if the example fails
 */
export async function runExample(
  language: string,
  text: string,
  place: Place,
  cwd: string = place.folder,
): Promise<string> {
  const { file, command, prepare = (same) => same } = LANGUAGES[language]!;
  const path = join(place.folder, file);
  writeFileSync(path, prepare(text, place));
  const exported = join(place.folder, EXPORTED);
  const started = `if [ -f "${exported}" ]; then . "${exported}"; fi; exec env "$@"`;
  const variables = Object.entries(place.variables).map(([name, value]) => `${name}=${value}`);
  const { stdout } = await promisify(execFile)('bash', ['-c', started, 'bash', ...variables, ...command(path)], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    maxBuffer: 16 * 1024 ** 2,
  });
  return stdout;
}
