import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
const WORKFLOWS = join(ROOT, '.github/workflows');

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function workflow(file: string): Workflow {
  return parse(readFileSync(join(WORKFLOWS, file), 'utf8')) as Workflow;
}

interface Workflow {
  readonly permissions: Record<string, string>;
  readonly concurrency: object;
  readonly jobs: Record<string, { readonly 'timeout-minutes': number }>;
}

describe.each(readdirSync(WORKFLOWS))('the workflow %s', (file) => {
  test('names the commit of each action, with its version in a comment', () => {
    const uses = readFileSync(join(WORKFLOWS, file), 'utf8')
      .split('\n')
      .filter((line) => /^\s*(?:- )?uses:/.test(line));
    expect(uses).not.toEqual([]);
    expect(uses.filter((line) => !/uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  test('may only read the repository, and ends in time', () => {
    const { permissions, concurrency, jobs } = workflow(file);
    // A job may ask for more, as the one that pushes an image does.
    expect([{}, { contents: 'read' }]).toContainEqual(permissions);
    expect(concurrency).toHaveProperty('group');
    for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0);
  });
});

test('.nvmrc names the Node that npm installs', () => {
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: { node: string } };
  expect(read('.nvmrc').trim()).toBe(devDependencies.node);
});
