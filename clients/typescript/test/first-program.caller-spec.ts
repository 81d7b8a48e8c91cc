import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { TEST_API_KEY } from '@animal-store/testing';
import { NODES, PackedClient } from './packed-client.js';
import { useBuiltServer } from './support.js';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = readFileSync(join(ROOT, 'docs/api/getting-started.md'), 'utf8');

/** The first program of the guide, which the page calls `first.mjs`. */
const FIRST = /^```js\n(?<program>import .*?)^```$/ms.exec(PAGE)!.groups!['program']!;

/** The same in TypeScript, as the page says. */
const TYPED = FIRST.replaceAll(/process[.]env[.]\w+/g, '$&!');

const PRINTED = /^added Mia with the id \d+\n(?:\d+n \w+\n)+$/;

describe('the first program of the guide, in a project as npm init -y makes it', () => {
  const server = useBuiltServer();
  let project: PackedClient;

  beforeAll(() => {
    project = PackedClient.install();
    // In place of `npm install --save-dev typescript @types/node`.
    symlinkSync(join(ROOT, 'node_modules/@types'), join(project.folder, 'node_modules/@types'));
  }, 120_000);

  afterEach(() => {
    project.npm('pkg', 'set', 'type=commonjs');
    for (const ending of ['mjs', 'js', 'mts', 'ts']) rmSync(join(project.folder, `first.${ending}`), { force: true });
  });

  afterAll(() => {
    project.remove();
  });

  const run = (file: string, node?: string) =>
    project.run(file, node, { STORE: `${server.url}/v1`, KEY: TEST_API_KEY });

  test.each(NODES)('is first.mjs, which runs on Node %i', (_major, node) => {
    project.write('first.mjs', FIRST);
    expect(run('first.mjs', node)).toMatch(PRINTED);
  });

  test.each(NODES)('is first.js after npm pkg set type=module, which runs on Node %i', (_major, node) => {
    project.npm('pkg', 'set', 'type=module');
    project.write('first.js', FIRST);
    expect(run('first.js', node)).toMatch(PRINTED);
  });

  test.each([
    ['first.mts', 'first.mjs', 'commonjs'],
    ['first.ts', 'first.js', 'module'],
  ])('is %s, which runs on Node 24 as it is, and compiled to %s on each Node', (source, compiled, type) => {
    project.npm('pkg', 'set', `type=${type}`);
    project.write(source, TYPED);
    expect(run(source)).toMatch(PRINTED);
    rmSync(join(project.folder, 'tsconfig.json'), { force: true });
    project.tsc('--init', '--types', 'node');
    expect(project.tsc()).toBe('');
    for (const [, node] of NODES) expect(run(compiled, node)).toMatch(PRINTED);
  });
});
