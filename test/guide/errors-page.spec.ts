import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorsPage } from '../../tools/error-guide/page.js';

test('the page about errors is what the table of codes makes of it: npm run guide:errors', () => {
  expect(readFileSync(join(import.meta.dirname, '../../docs/api/errors.md'), 'utf8')).toBe(errorsPage());
});
