import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import config from './dependency-rules.js';

const ROOT = join(import.meta.dirname, '../..');
const FIXTURE = join(import.meta.dirname, 'fixture');
const RULES = config.forbidden.map(({ name }: { name: string }) => name);

/** @returns the names of the rules that are broken */
function cruise(folder: string): readonly string[] {
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'),
      ...[
        '--config',
        join(import.meta.dirname, 'dependency-rules.js'),
        '--output-type',
        'json',
        'apps',
        'libs',
        'clients',
        'examples',
      ],
    ],
    { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 },
  );
  const { summary } = JSON.parse(stdout) as { summary: { violations: { rule: { name: string } }[] } };
  return [...new Set(summary.violations.map(({ rule }) => rule.name))];
}

describe('The dependency rules', () => {
  const broken = cruise(FIXTURE);

  test.each(RULES)('%s finds its breach in the fixture', (rule: string) => {
    expect(broken).toContain(rule);
  });

  test('hold for the product', () => {
    expect(cruise(ROOT)).toEqual([]);
  });
});

describe('The layout', () => {
  test('leaves HttpException to libs/http', () => {
    const offenders = readdirSync(join(ROOT, 'libs'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.startsWith('http/'))
      .filter((path) => readFileSync(join(ROOT, 'libs', path), 'utf8').includes('HttpException'));
    expect(offenders).toEqual([]);
  });
});
