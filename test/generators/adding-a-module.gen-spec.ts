import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CheckoutCopy } from '../support/checkout-copy.js';
import { describeChecks } from './checks.js';

const EXAMPLES = join(import.meta.dirname, '../../examples');
const NAMES = ['store-orders', 'appointments'];
const FOLDERS = NAMES.map((name) => `libs/${name}`);
const LIST = 'apps/api/src/app.module.ts';

/** The programs that start the example on its own. The product starts the modules of the product. */
const PROGRAMS = ['main.ts', 'migrate.ts'];

let copy: CheckoutCopy;

beforeAll(() => {
  copy = CheckoutCopy.make();
  // The steps of docs/adding-a-module.md. The files of the example replace the files that a team writes.
  for (const example of NAMES) {
    copy.take(join(EXAMPLES, example), `libs/${example}`);
    for (const name of readdirSync(join(EXAMPLES, example, 'src')))
      if (PROGRAMS.includes(name)) rmSync(join(copy.folder, 'libs', example, 'src', name));
  }
  const list = copy.read(LIST).replace(/^(const FEATURES = \[[^\]]*)\];$/m, '$1, OrdersModule, AppointmentsModule];');
  const imports = [
    `import { AppointmentsModule } from '@animal-store/appointments';`,
    `import { OrdersModule } from '@animal-store/store-orders';`,
  ];
  copy.write(LIST, `${imports.join('\n')}\n${list}`);
}, 60_000);

afterAll(() => {
  copy.remove();
});

describe('modules that are added as docs/adding-a-module.md says', () => {
  test('is new files in a folder for each, and one file of the base', () => {
    expect(copy.changes()).toEqual([` M ${LIST}`, ...[...FOLDERS].sort().map((folder) => `?? ${folder}/`)]);
  });

  describeChecks(() => copy, [...FOLDERS, LIST], {
    'its own tests, on every database': ['--selectProjects', 'unit', 'integration', 'e2e', '--', ...FOLDERS],
    'the test that mappings and migrations agree': ['--selectProjects', 'integration', '--', 'integration/migrations'],
  });
});
