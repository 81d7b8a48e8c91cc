import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(import.meta.dirname, '../src');

test('The module, its programs included, is at most 450 lines', () => {
  const files = globSync('**/*.ts', { cwd: SOURCES }).map((path) => readFileSync(join(SOURCES, path), 'utf8'));
  const lines = files.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
  expect(lines).toBeGreaterThan(300);
  expect(lines).toBeLessThanOrEqual(450);
});
