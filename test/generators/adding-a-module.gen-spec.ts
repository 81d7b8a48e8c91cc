import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CheckoutCopy } from '../support/checkout-copy.js';

const EXAMPLE = join(import.meta.dirname, '../../examples/store-orders');
const FOLDER = 'libs/store-orders';
const LIST = 'apps/api/src/app.module.ts';

/** The programs that start the example on its own. The product starts the modules of the product. */
const PROGRAMS = ['main.ts', 'migrate.ts'];

let copy: CheckoutCopy;

beforeAll(() => {
  copy = CheckoutCopy.make();
  // The steps of docs/adding-a-module.md. The files of the example replace the files that a team writes.
  copy.take(EXAMPLE, FOLDER);
  for (const name of readdirSync(join(EXAMPLE, 'src')))
    if (PROGRAMS.includes(name)) rmSync(join(copy.folder, FOLDER, 'src', name));
  const list = copy.read(LIST).replace(/^(const FEATURES = \[[^\]]*)\];$/m, '$1, OrdersModule];');
  copy.write(LIST, `import { OrdersModule } from '@animal-store/store-orders';\n${list}`);
}, 60_000);

afterAll(() => {
  copy.remove();
});

describe('a module that is added as docs/adding-a-module.md says', () => {
  test('is new files in one folder, and one file of the base', () => {
    expect(copy.changes()).toEqual([` M ${LIST}`, `?? ${FOLDER}/`]);
  });

  test.each([
    ['the compiler', 'typescript/bin/tsc', ['--project', 'tsconfig.json']],
    ['the linter', 'eslint/bin/eslint.js', ['--max-warnings', '0', FOLDER, LIST]],
    ['the formatter', 'prettier/bin/prettier.cjs', ['--check', FOLDER, LIST]],
    [
      'the dependency rules',
      'dependency-cruiser/bin/dependency-cruiser.mjs',
      ['apps', 'libs', 'clients', 'examples', 'test', 'tools', '--config', 'test/architecture/dependency-rules.js'],
    ],
    [
      'its own tests, on every database',
      'jest/bin/jest.js',
      ['--selectProjects', 'unit', 'integration', 'e2e', '--', FOLDER],
    ],
  ])(
    'passes %s',
    (_name, program, args) => {
      const { status, printed } = copy.node(`node_modules/${program}`, ...args);
      expect(status === 0 ? '' : printed).toBe('');
    },
    300_000,
  );
});
