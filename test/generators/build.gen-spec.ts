import { execFile } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** A project of a few files with the layout and the programs of this project. */
let project: string;

beforeAll(async () => {
  project = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'animal-store-build-')));
  for (const path of [
    'nest-cli.json',
    'tsconfig.base.json',
    'apps/api/tsconfig.app.json',
    'tools/build.js',
    'package.json',
  ])
    write(path, fs.readFileSync(join(ROOT, path), 'utf8'));
  fs.symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  write('libs/words/src/index.ts', `export const word: string = 'one';\n`);
  write('libs/words/src/migrations/1_first.ts', 'export const first = 1;\n');
  write('apps/api/src/main.ts', `import { word } from '@animal-store/words';\nconsole.log(word);\n`);
  await build();
}, 60_000);

afterAll(() => {
  fs.rmSync(project, { recursive: true, force: true });
});

const MAIN = 'dist/apps/api/src/main.js';
const MIGRATION = 'dist/libs/words/src/migrations/1_first.js';

function write(path: string, content: string): void {
  fs.mkdirSync(dirname(join(project, path)), { recursive: true });
  fs.writeFileSync(join(project, path), content);
}

async function run(...args: string[]): Promise<{ exitCode: number; printed: string }> {
  const child = execFile(process.execPath, args, { cwd: project });
  let printed = '';
  child.stdout?.on('data', (text: string) => (printed += text));
  child.stderr?.on('data', (text: string) => (printed += text));
  const [exitCode] = (await once(child, 'close')) as [number];
  return { exitCode, printed };
}

function build(...args: string[]): ReturnType<typeof run> {
  return run('tools/build.js', ...args);
}

/** The identity and the modification time of each file in `dist`. */
function stamps(): Record<string, string> {
  const entries = fs.readdirSync(join(project, 'dist'), { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        const { ino, mtimeMs } = fs.statSync(path);
        return [path.slice(project.length + 1), `${ino} ${mtimeMs}`];
      }),
  );
}

describe('building', () => {
  test('makes programs that run', async () => {
    expect(await run(MAIN)).toEqual({ exitCode: 0, printed: 'one\n' });
  });

  test('names the sources in the source maps, where they are seen from dist', () => {
    const { sources } = JSON.parse(fs.readFileSync(join(project, `${MAIN}.map`), 'utf8')) as { sources: string[] };
    expect(sources.map((path) => join(project, dirname(MAIN), path))).toEqual([join(project, 'apps/api/src/main.ts')]);
  });

  test('does nothing while nothing changed, whatever the times of the sources are', async () => {
    const before = stamps();
    fs.utimesSync(join(project, 'apps/api/src/main.ts'), new Date(), new Date());
    const start = performance.now();
    expect(await build()).toEqual({ exitCode: 0, printed: '' });
    expect(performance.now() - start).toBeLessThan(1_000);
    expect(stamps()).toEqual(before);
  });

  test('writes only what differs: the other files stay the ones that a program has open', async () => {
    const before = stamps();
    write('libs/words/src/index.ts', `export const word: string = 'two';\n`);
    await build();
    const after = stamps();
    const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
    expect(changed).toEqual(['dist/libs/words/src/index.js']);
    expect(await run(MAIN)).toEqual({ exitCode: 0, printed: 'two\n' });
  });

  test('removes what was made of a source that is gone, as a migration that is found by its name', async () => {
    write('libs/words/src/migrations/2_second.ts', 'export const second = 2;\n');
    await build();
    expect(Object.keys(stamps())).toContain('dist/libs/words/src/migrations/2_second.js');
    fs.rmSync(join(project, 'libs/words/src/migrations/2_second.ts'));
    await build();
    expect(Object.keys(stamps()).filter((path) => path.includes('2_second'))).toEqual([]);
    expect(Object.keys(stamps())).toContain(MIGRATION);
  });

  test('leaves dist as it was when the sources do not compile', async () => {
    const before = stamps();
    write('apps/api/src/main.ts', `export const wrong: number = 'text';\n`);
    const { exitCode, printed } = await build();
    write('apps/api/src/main.ts', `import { word } from '@animal-store/words';\nconsole.log(word);\n`);
    expect({ exitCode, after: stamps() }).toEqual({ exitCode: 1, after: before });
    expect(printed).toContain("Type 'string' is not assignable to type 'number'");
  });

  test('mends dist where another program wrote there, or somebody deleted it', async () => {
    fs.writeFileSync(join(project, MAIN), 'broken');
    fs.rmSync(join(project, MIGRATION));
    await build();
    expect(await run(MAIN)).toEqual({ exitCode: 0, printed: 'two\n' });
    expect(Object.keys(stamps())).toContain(MIGRATION);
  });

  test('happens once when two ask for it, and a program can start all the while', async () => {
    write('libs/words/src/index.ts', `export const word: string = 'three';\n`);
    const built = { done: false };
    const builds = Promise.all([build(), build(), build()]).finally(() => (built.done = true));
    const printed = new Set<string>();
    while (!built.done) printed.add((await run(MAIN)).printed);
    expect((await builds).map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect([...printed].filter((text) => text !== 'two\n' && text !== 'three\n')).toEqual([]);
    expect(await run(MAIN)).toEqual({ exitCode: 0, printed: 'three\n' });
  });

  test('takes over from a build that was killed', async () => {
    const killed = execFile(process.execPath, ['-e', '']);
    await once(killed, 'close');
    write('.build/lock', JSON.stringify({ host: hostname(), pid: killed.pid, since: 0 }));
    write('libs/words/src/index.ts', `export const word: string = 'four';\n`);
    await build();
    expect(await run(MAIN)).toEqual({ exitCode: 0, printed: 'four\n' });
    expect(fs.existsSync(join(project, '.build/lock'))).toBe(false);
  });

  test('only removes what is stale, where that is asked for', async () => {
    const before = stamps();
    write('dist/libs/words/src/migrations/0_gone.js', '');
    write('libs/words/src/index.ts', `export const word: string = 'five';\n`);
    await build('--remove-stale');
    expect(stamps()).toEqual(before);
  });
});
