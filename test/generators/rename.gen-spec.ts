import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CheckoutCopy, type Ended } from '../support/checkout-copy.js';

/** The name of the service. It differs if the service has been renamed. */
const { name: NAME } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  name: string;
};

/** Matches the name in any spelling. */
const ANY_SPELLING = new RegExp(NAME.replaceAll('-', '.?'), 'i');

/** A name of one word cannot be distinguished from the word itself. */
const describeIfItCan = NAME.includes('-') ? describe : describe.skip;

let copy: CheckoutCopy;

beforeAll(() => {
  copy = CheckoutCopy.make();
}, 60_000);

afterAll(() => {
  copy.remove();
});

function rename(...args: string[]): Ended {
  return copy.node('tools/rename.js', ...args);
}

/** The files that still contain the former name. */
function leftovers(): string[] {
  const paths = copy.git('ls-files', '--cached', '--others', '--exclude-standard').split('\n');
  // Until the next commit git also lists the former paths of renamed files.
  const present = paths.filter((path) => path !== '' && existsSync(join(copy.folder, path)));
  return present.filter((path) => ANY_SPELLING.test(path) || ANY_SPELLING.test(copy.read(path)));
}

describeIfItCan('the command that renames the service', () => {
  afterEach(() => {
    copy.git('checkout', '--quiet', '.');
    copy.git('clean', '--quiet', '-fd');
  });

  test.each([
    ['no name', [], 'npm run rename -- my-store'],
    ['a name with capitals', ['My-Store'], 'lower-case words'],
    ['a name that is too long for what is made of it', ['a-store-with-a-name-of-more-than-forty-letters'], '40'],
    ['the name that it has', [NAME], 'already'],
    ['the scope of a package that it uses', ['nestjs'], '@nestjs/'],
  ])('refuses %s, and changes nothing', (_name, args, reason) => {
    const { status, printed } = rename(...args);
    expect(printed).toContain(reason);
    expect([status, copy.changes()]).toEqual([1, []]);
  });

  test('refuses a work tree that is not clean', () => {
    copy.write('notes.md', 'Mine.\n');
    const { status, printed } = rename('a-store-of-ours');
    expect(printed).toMatch(/not clean.*notes.md/s);
    expect([status, copy.changes()]).toEqual([1, ['?? notes.md']]);
  });
});

describeIfItCan('a service that was renamed', () => {
  beforeAll(() => {
    const { status, printed } = rename('the-pet-food-and-toys-shop');
    if (status !== 0) throw new Error(printed);
  }, 60_000);

  test('tells of its former name in the licence alone', () => {
    expect(leftovers().filter((path) => path !== 'LICENSE')).toEqual([]);
  });

  test('has the name in every spelling', () => {
    expect(JSON.parse(copy.read('package.json'))).toMatchObject({ name: 'the-pet-food-and-toys-shop' });
    expect(JSON.parse(copy.read('package-lock.json'))).toMatchObject({ name: 'the-pet-food-and-toys-shop' });
    expect(copy.read('README.md')).toContain('# The Pet Food And Toys Shop\n');
    expect(copy.read('tsconfig.base.json')).toContain('"@the-pet-food-and-toys-shop/*"');
    expect(copy.read('deploy/prometheus/alerts.yaml')).toContain('ThePetFoodAndToysShopDown');
    expect(copy.read('.github/CODEOWNERS')).toContain('* @the-pet-food-and-toys-shop/maintainers');
    expect(copy.read('docker-compose.yml')).toContain('POSTGRES_USER: the_pet_food_and_toys_shop');
    expect(copy.read('apps/api/src/keys/development-api-key.ts')).toContain("'tpfatsdev'");
  });

  test.each([
    ['the compiler', 'typescript/bin/tsc', ['--project', 'tsconfig.json']],
    ['the formatter', 'prettier/bin/prettier.cjs', ['--check', '.']],
    [
      'the dependency rules',
      'dependency-cruiser/bin/dependency-cruiser.mjs',
      ['apps', 'libs', 'clients', 'examples', 'test', 'tools', '--config', 'test/architecture/dependency-rules.js'],
    ],
    [
      'the linter, where the name stands',
      'eslint/bin/eslint.js',
      ['--max-warnings', '0', 'libs/auth', 'apps/api/src/keys'],
    ],
    ['its unit tests', 'jest/bin/jest.js', ['--selectProjects', 'unit', '--', './apps/', './libs/', './examples/']],
    [
      'its tests of keys, metrics and the document on a real database',
      'jest/bin/jest.js',
      ['--selectProjects', 'e2e', '--', 'e2e/metrics', 'e2e/openapi', 'e2e/authentication'],
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
