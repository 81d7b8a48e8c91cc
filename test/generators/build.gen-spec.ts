import { execFile } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
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

function build(): ReturnType<typeof run> {
  return run('tools/build.js');
}

function builtFiles(): string[] {
  return fs.readdirSync(join(project, 'dist'), { recursive: true }).map(String).sort();
}

describe('building', () => {
  test('makes programs that run, with source maps that name the sources', async () => {
    expect(await run(MAIN)).toEqual({ exitCode: 0, printed: 'one\n' });
    const { sources } = JSON.parse(fs.readFileSync(join(project, `${MAIN}.map`), 'utf8')) as { sources: string[] };
    expect(sources.map((path) => join(project, dirname(MAIN), path))).toEqual([join(project, 'apps/api/src/main.ts')]);
  });

  test('does nothing while nothing changed, whatever the times of the sources are', async () => {
    fs.utimesSync(join(project, 'apps/api/src/main.ts'), new Date(), new Date());
    const before = fs.statSync(join(project, MAIN)).ino;
    expect(await build()).toEqual({ exitCode: 0, printed: '' });
    expect(fs.statSync(join(project, MAIN)).ino).toBe(before);
  });

  test('leaves nothing of a source that is gone, as of a migration that is found by its name', async () => {
    write('libs/words/src/migrations/2_second.ts', 'export const second = 2;\n');
    await build();
    expect(builtFiles()).toContain('libs/words/src/migrations/2_second.js');
    fs.rmSync(join(project, 'libs/words/src/migrations/2_second.ts'));
    await build();
    expect(builtFiles().filter((path) => path.includes('migrations/'))).toEqual([
      'libs/words/src/migrations/1_first.js',
      'libs/words/src/migrations/1_first.js.map',
    ]);
  });

  test('leaves dist as it was when the sources do not compile', async () => {
    write('apps/api/src/main.ts', `export const wrong: number = 'text';\n`);
    const { exitCode, printed } = await build();
    write('apps/api/src/main.ts', `import { word } from '@animal-store/words';\nconsole.log(word);\n`);
    expect(exitCode).toBe(1);
    expect(printed).toContain("Type 'string' is not assignable to type 'number'");
    expect(await run(MAIN)).toEqual({ exitCode: 0, printed: 'one\n' });
  });

  test('may be asked for by several at once, and a program can start all the while', async () => {
    write('libs/words/src/index.ts', `export const word: string = 'two';\n`);
    const built = { done: false };
    const builds = Promise.all([build(), build(), build()]).finally(() => (built.done = true));
    const printed = new Set<string>();
    while (!built.done) printed.add((await run(MAIN)).printed);
    expect((await builds).map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect([...printed].filter((text) => text !== 'one\n' && text !== 'two\n')).toEqual([]);
    expect(await run(MAIN)).toEqual({ exitCode: 0, printed: 'two\n' });
    expect(fs.readdirSync(project).filter((name) => name.startsWith('.dist-'))).toEqual([]);
  });
});
