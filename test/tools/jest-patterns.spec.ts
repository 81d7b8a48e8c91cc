import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** A checkout whose path contains the patterns of Jest and special characters of regular expressions. */
let folder: string;
let checkout: string;

beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'animal-store-jest-')));
  checkout = join(folder, 'libs/pets+(x)[y]/test/e2e/pets.e2e-spec.ts');
  const files = [
    'libs/pets-domain/src/pet.spec.ts',
    'libs/auth/src/key.spec.ts',
    'test/e2e/list-pets.e2e-spec.ts',
    'test/e2e/keys.e2e-spec.ts',
    'libs/orders/test/order.spec.ts',
    'libs/orders/test/orders.int-spec.ts',
    'examples/store-orders/test/store-orders.e2e-spec.ts',
    'examples/store-orders/src/domain/order.spec.ts',
  ];
  for (const path of files) write(path, '');
  for (const path of ['jest.config.js', 'test/support/path-filter.js', 'package.json'])
    write(path, fs.readFileSync(join(ROOT, path), 'utf8'));
  write('test/support/global-setup.ts', '');
  write('test/support/global-teardown.ts', '');
  fs.symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
});

afterAll(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

function write(path: string, content: string): void {
  fs.mkdirSync(dirname(join(checkout, path)), { recursive: true });
  fs.writeFileSync(join(checkout, path), content);
}

/** The tests that Jest would run, as paths inside the checkout. */
function found(project: string, ...patterns: string[]): string[] {
  const { stdout } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/jest/bin/jest.js'), '--listTests', '--selectProjects', project, '--', ...patterns],
    { cwd: checkout, encoding: 'utf8' },
  );
  return stdout
    .split('\n')
    .filter((line) => line.startsWith(checkout))
    .map((path) => path.slice(checkout.length + 1))
    .sort();
}

describe('a pattern of Jest', () => {
  test.each([
    [
      'unit',
      [],
      [
        'examples/store-orders/src/domain/order.spec.ts',
        'libs/auth/src/key.spec.ts',
        'libs/orders/test/order.spec.ts',
        'libs/pets-domain/src/pet.spec.ts',
      ],
    ],
    ['unit', ['pets'], ['libs/pets-domain/src/pet.spec.ts']],
    ['integration', [], ['libs/orders/test/orders.int-spec.ts']],
    [
      'e2e',
      [],
      [
        'examples/store-orders/test/store-orders.e2e-spec.ts',
        'test/e2e/keys.e2e-spec.ts',
        'test/e2e/list-pets.e2e-spec.ts',
      ],
    ],
    ['e2e', ['store'], ['examples/store-orders/test/store-orders.e2e-spec.ts']],
    ['e2e', ['pets'], ['test/e2e/list-pets.e2e-spec.ts']],
    ['e2e', ['keys', 'list'], ['test/e2e/keys.e2e-spec.ts', 'test/e2e/list-pets.e2e-spec.ts']],
    ['e2e', ['./test/e2e/keys'], ['test/e2e/keys.e2e-spec.ts']],
    ['e2e', ['libs'], []],
  ])('of the project %s, given %j, is looked for inside the checkout alone', (project, patterns, paths) => {
    expect(found(project, ...patterns)).toEqual(paths);
  });
});
