import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CheckoutCopy } from '../support/checkout-copy.js';
import { describeChecks } from './checks.js';

const EXAMPLES = join(import.meta.dirname, '../../examples');
const LIST = 'apps/api/src/app.module.ts';

/** The programs that start the example on its own. The product starts the modules of the product. */
const PROGRAMS = ['main.ts', 'migrate.ts'];

describe.each([
  ['store-orders', 'OrdersModule'],
  ['appointments', 'AppointmentsModule'],
])('a module that is added as docs/adding-a-module.md says: %s', (name, module) => {
  const folder = `libs/${name}`;
  let copy: CheckoutCopy;

  beforeAll(() => {
    copy = CheckoutCopy.make();
    // The steps of the document. The files of the example replace the files that a team writes.
    copy.take(join(EXAMPLES, name), folder);
    for (const file of readdirSync(join(EXAMPLES, name, 'src')))
      if (PROGRAMS.includes(file)) rmSync(join(copy.folder, folder, 'src', file));
    const list = copy.read(LIST).replace(/^(const FEATURES = \[[^\]]*)\];$/m, `$1, ${module}];`);
    copy.write(LIST, `import { ${module} } from '@animal-store/${name}';\n${list}`);
  }, 60_000);

  afterAll(() => {
    copy.remove();
  });

  test('is new files in one folder, and one file of the base', () => {
    expect(copy.changes()).toEqual([` M ${LIST}`, `?? ${folder}/`]);
  });

  describeChecks(() => copy, [folder, LIST], {
    'its own tests, on every database': ['--selectProjects', 'unit', 'integration', 'e2e', '--', folder],
    'the test that mappings and migrations agree': ['--selectProjects', 'integration', '--', 'integration/migrations'],
  });
});
