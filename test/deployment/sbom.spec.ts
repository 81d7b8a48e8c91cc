import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

interface Locked {
  readonly version: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

interface Component {
  readonly name: string;
  readonly version: string;
}

test('npm run sbom lists all that an installation without development has, and nothing else', () => {
  const stdio = ['ignore', 'pipe', 'ignore'] as const;
  const printed = execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: ROOT, encoding: 'utf8', stdio: [...stdio] });
  const { metadata, components } = JSON.parse(printed) as {
    metadata: { component: Component };
    components: Component[];
  };
  expect(metadata.component.name).toBe('animal-store');

  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const installed = Object.entries(lock.packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && dev !== true && devOptional !== true)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`);
  const listed = components.map(({ name, version }) => `${name}@${version}`);
  expect(new Set(listed)).toEqual(new Set(installed));
  expect(listed.length).toBeGreaterThan(100);
});
