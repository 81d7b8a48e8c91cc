import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CheckoutCopy } from '../support/checkout-copy.js';
import { describeChecks } from './checks.js';

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

  describeChecks(() => copy, [FOLDER, LIST], {
    'its own tests, on every database': ['--selectProjects', 'unit', 'integration', 'e2e', '--', FOLDER],
  });
});
