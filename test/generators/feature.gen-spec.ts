import { join } from 'node:path';
import { BuiltProgram } from '../support/built-program.js';
import { CheckoutCopy, type Ended } from '../support/checkout-copy.js';
import { describeChecks } from './checks.js';

/** A name of two words, with a plural that needs more than an `s`. */
const NAME = 'gift-boxes';
const FOLDER = `libs/${NAME}`;
const LIST = 'apps/api/src/app.module.ts';

let copy: CheckoutCopy;
let generated: Ended;

beforeAll(() => {
  copy = CheckoutCopy.make();
  generated = generate();
}, 60_000);

afterAll(() => {
  copy.remove();
});

function generate(): Ended {
  return copy.node('node_modules/@nestjs/cli/bin/nest.js', 'generate', 'feature', NAME, '--project', 'api');
}

describe('nest generate feature', () => {
  test('makes new files in one folder, and changes the list of features alone', () => {
    expect(generated.printed).toContain('CREATE');
    expect(copy.changes()).toEqual([` M ${LIST}`, `?? ${FOLDER}/`]);
    const diff = copy.git('diff', '--unified=0', LIST).split('\n');
    expect(diff.filter((line) => /^[-+][^-+]/.test(line))).toEqual([
      `+import { GiftBoxesModule } from '@animal-store/${NAME}';`,
      expect.stringMatching(/^-const FEATURES = .*\];$/),
      expect.stringMatching(/^\+const FEATURES = .*\bGiftBoxesModule\];$/),
    ]);
  });

  test('names the migration so that it runs after all others', () => {
    const names = copy
      .git('ls-files', '--cached', '--others', '--exclude-standard', 'libs/**/migrations/*.ts')
      .split('\n')
      .filter((path) => path !== '')
      .map((path) => path.slice(path.lastIndexOf('/') + 1));
    expect(names.sort().at(-1)).toMatch(/^[0-9]{14}_gift_boxes[.]ts$/);
  });

  test('does not write over a library that is there', () => {
    const { printed } = generate();
    expect(printed).toContain(`There is a library ${NAME} already`);
    expect(copy.changes()).toEqual([` M ${LIST}`, `?? ${FOLDER}/`]);
  });
});

describe('a generated feature', () => {
  describeChecks(() => copy, [FOLDER, LIST], {
    'its own tests': ['--selectProjects', 'unit', 'integration', 'e2e', '--', FOLDER],
    'the tests of the base that look at all modules': [
      ...['--selectProjects', 'unit', 'integration', 'e2e'],
      ...['--', 'test/architecture', 'integration/migrations', 'e2e/openapi', 'e2e/health', 'e2e/metrics'],
    ],
  });

  test('has a migration that the version before can live with', () => {
    const { status, printed } = copy.node('test/migrations/lint-migrations.ts');
    expect(status === 0 ? '' : printed).toBe('');
  });

  describe('that is built and started', () => {
    const KEY = 'a-key-for-tests-only';
    let server: BuiltProgram;
    let url: string;

    beforeAll(async () => {
      const { status, printed } = copy.node('tools/build.js');
      if (status !== 0) throw new Error(printed);
      const variables = { NODE_ENV: 'development', BOOTSTRAP_API_KEY: KEY, DATA_DIR: join(copy.folder, '.data') };
      server = new BuiltProgram(`${copy.folder}/dist/apps/api/src/main.js` as `/${string}`, variables);
      url = await server.listening();
    }, 180_000);

    afterAll(() => server.kill('SIGKILL'));

    test('has its table, and answers', async () => {
      const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ name: 'First' });
      const answer = await fetch(`${url}/v1/${NAME}`, { method: 'POST', headers, body });
      expect([answer.status, await answer.json()]).toEqual([201, { id: 1, name: 'First', status: 'open' }]);
    });
  });
});
