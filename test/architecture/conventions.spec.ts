import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
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

describe('the check of commit subjects', () => {
  let folder: string;

  function git(...args: string[]): string {
    return execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  }

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'animal-store-subjects-'));
    git('init', '--quiet');
    git('commit', '--quiet', '--allow-empty', '--message', 'The start');
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function check(subject: string): { status: number | null; stdout: string } {
    git('commit', '--quiet', '--allow-empty', '--message', `${subject}\n\nThe reason.`);
    return spawnSync('bash', [join(ROOT, '.ci/check-subjects'), 'HEAD~1'], { cwd: folder, encoding: 'utf8' });
  }

  test.each(['fix: close the pool', 'feat(http): answer 415', 'feat(api)!: remove a field', `fix: ${'x'.repeat(67)}`])(
    'takes %s',
    (subject) => {
      expect(check(subject)).toMatchObject({ status: 0, stdout: '' });
    },
  );

  test.each([
    ['no type', 'Close the pool', 'Not of the form'],
    ['an unknown type', 'feature: close the pool', 'Not of the form'],
    ['a full stop', 'fix: close the pool.', 'Not of the form'],
    ['73 characters', `fix: ${'x'.repeat(68)}`, 'Has 73 characters'],
  ])('refuses a subject with %s', (_name, subject, reason) => {
    const { status, stdout } = check(subject);
    expect(status).toBe(1);
    expect(stdout).toContain(reason);
  });
});
