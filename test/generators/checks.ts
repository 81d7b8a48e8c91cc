/* eslint-disable jest/no-export -- the tests of every change that a generator or a team makes */
import type { CheckoutCopy } from '../support/checkout-copy.js';

/** The tests of the base take as long as `npm test` takes, and the machine may be busy. */
const TIMEOUT_MS = 1_200_000;

/**
 * Declares the tests that a change of a checkout must pass: the compiler, the linter, the formatter, the dependency rules, and
 * runs of Jest.
 *
 * @param copy is called when the tests run
 * @param changed the changed files and folders
 * @param runs the arguments of Jest, by what is run
 */
export function describeChecks(
  copy: () => CheckoutCopy,
  changed: readonly string[],
  runs: Readonly<Record<string, readonly string[]>>,
): void {
  const sources = changed.filter((path) => !path.endsWith('.json'));
  const folders = ['apps', 'libs', 'clients', 'examples', 'test', 'tools'];
  const checks: [name: string, program: string, args: readonly string[]][] = [
    ['the compiler', 'typescript/bin/tsc', ['--project', 'tsconfig.json']],
    ['the linter', 'eslint/bin/eslint.js', ['--max-warnings', '0', ...sources]],
    ['the formatter', 'prettier/bin/prettier.cjs', ['--check', ...changed]],
    [
      'the dependency rules',
      'dependency-cruiser/bin/dependency-cruiser.mjs',
      [...folders, '--config', 'test/architecture/dependency-rules.js', '--output-type', 'err-long'],
    ],
    ...Object.entries(runs).map(([name, args]): [string, string, readonly string[]] => [
      name,
      'jest/bin/jest.js',
      args,
    ]),
  ];
  test.each(checks)(
    'passes %s',
    (_name, program, args) => {
      const { status, printed } = copy().node(`node_modules/${program}`, ...args);
      expect(status === 0 ? '' : printed).toBe('');
    },
    TIMEOUT_MS,
  );
}
