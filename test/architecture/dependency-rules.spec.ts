import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import config from './dependency-rules.js';

const ROOT = join(import.meta.dirname, '../..');
const FIXTURE = join(import.meta.dirname, 'fixture');
const RULES = config.forbidden.map(({ name }: { name: string }) => name);

/** The file or folder that breaks a rule. */
interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

function cruise(folder: string): readonly Violation[] {
  const program = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const rules = join(import.meta.dirname, 'dependency-rules.js');
  const folders = ['apps', 'libs', 'clients', 'examples'];
  const { stdout } = spawnSync(process.execPath, [program, '--config', rules, '--output-type', 'json', ...folders], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
}

describe('The dependency rules', () => {
  const broken = cruise(FIXTURE);

  test.each(RULES)('%s finds its breach in the fixture', (rule: string) => {
    expect(broken.map(({ rule: { name } }) => name)).toContain(rule);
  });

  test('let a module inject repositories and entity managers, throw exceptions of Nest, and relate entities both ways', () => {
    expect(broken.filter(({ from }) => from.startsWith('libs/shelters'))).toEqual([]);
  });

  test('hold for the product', () => {
    expect(cruise(ROOT)).toEqual([]);
  });

  test('say why, when npm run lint:dependencies finds a breach', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts['lint:dependencies']).toContain('--output-type err-long');
    expect(config.forbidden.filter(({ comment }: { comment?: string }) => !comment)).toEqual([]);
  });
});
