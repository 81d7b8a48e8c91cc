import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { dependencyPictures, type CruisedFile } from '../../tools/pictures/dependency-pictures.ts';
import { sectionOf } from '../../tools/pictures/sections.ts';
import config from './dependency-rules.js';

const ROOT = join(import.meta.dirname, '../..');
const FIXTURE = join(import.meta.dirname, 'fixture');
const RULES = config.forbidden.map(({ name }: { name: string }) => name);

interface Cruise {
  /** The names of the rules that are broken. */
  readonly broken: readonly string[];
  readonly files: readonly CruisedFile[];
}

function cruise(folder: string): Cruise {
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
  const { modules, summary } = JSON.parse(stdout) as {
    modules: CruisedFile[];
    summary: { violations: { rule: { name: string } }[] };
  };
  return { broken: [...new Set(summary.violations.map(({ rule }) => rule.name))], files: modules };
}

describe('The dependency rules', () => {
  const { broken } = cruise(FIXTURE);
  const product = cruise(ROOT);

  test.each(RULES)('%s finds its breach in the fixture', (rule: string) => {
    expect(broken).toContain(rule);
  });

  test('hold for the product', () => {
    expect(product.broken).toEqual([]);
  });

  test('are as docs/architecture.md draws them, which may be older than a module (npm run docs:pictures)', () => {
    const picture = sectionOf(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8'), 'dependencies');
    const isDrawn = (file: string) => picture.includes(`["${file.split('/', 2).join('/')}"]`);
    const drawn = product.files
      .filter(({ source }) => isDrawn(source))
      .map(({ source, dependencies }) => ({
        source,
        dependencies: dependencies.filter(({ resolved }) => isDrawn(resolved)),
      }));
    expect(dependencyPictures(drawn)).toBe(picture);
  });
});

describe('The layout', () => {
  test('keeps the root under 25 visible entries', () => {
    const ignored = readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n');
    const entries = readdirSync(ROOT).filter((name) => !name.startsWith('.') && !ignored.includes(`${name}/`));
    expect(entries.length).toBeLessThan(25);
  });

  test('leaves HttpException to libs/http', () => {
    const offenders = readdirSync(join(ROOT, 'libs'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.startsWith('http/'))
      .filter((path) => readFileSync(join(ROOT, 'libs', path), 'utf8').includes('HttpException'));
    expect(offenders).toEqual([]);
  });
});
