import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createMigratedDatabase, freePort, startApp, TEST_API_KEY, useDatabase } from '@animal-store/testing';
import { PackedClient } from '../../clients/typescript/test/packed-client.js';
import { PAGES } from '../../docs/api/.vitepress/pages.js';

const ROOT = join(import.meta.dirname, '../..');

/** A fenced block that is run, and the block behind it if that shows an output. */
interface Example {
  readonly title: string;
  readonly language: string;
  /** `in=repository`, `service=limited`: notes for this test, which readers do not see. */
  readonly notes: string;
  readonly program: string;
  readonly output: string | undefined;
}

const BLOCK =
  /^```(?<language>sh|js|python)(?<notes>.*)\n(?<program>[^]*?)\n```(?:\n\n```(?:http|json|text)\n(?<output>[^]*?)\n```)?$/gm;

/** In the order of the site: a reader begins with an empty catalogue, and each page adds animals that later ones show. */
const EXAMPLES = Object.keys(PAGES)
  .flatMap((page) => {
    const text = readFileSync(join(ROOT, `docs/api/${page}.md`), 'utf8');
    return [...text.matchAll(BLOCK)].map(({ groups, index }): Example => {
      const { language = '', notes = '', program = '', output } = groups!;
      const title = `${page}.md, line ${text.slice(0, index).split('\n').length}, ${language}`;
      return { title, language, notes, program, output };
    });
  })
  .filter(({ notes }) => !notes.includes('run=no'));

/** What runs a file of each language. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  sh: ['bash', '-e', '-u', '-o', 'pipefail'],
  js: [process.execPath],
  python: ['python3'],
};

const MISSING = missingLanguages();
if (MISSING.length > 0) console.warn(`The examples of the guide in ${MISSING.join()} are not run: not installed`);

function missingLanguages(): string[] {
  try {
    execFileSync('python3', ['-c', 'import requests'], { stdio: 'ignore' });
    return [];
  } catch {
    return ['python'];
  }
}

/** A text without what differs from run to run, and without blanks: JSON may be laid out in any way. */
function comparable(text: string): string {
  return text
    .replace(/\b[a-z]+_(?:…|\w{31}_\w{7}\b)/g, 'KEY')
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/;t=\d+/g, ';t=…')
    .replaceAll(/\s/g, '')
    .toLowerCase();
}

/** What must be in the output: of a response the status, each header field that the guide shows, and the body. */
function partsOf(output: string): string[] {
  const [head = '', ...bodies] = output.split('\n\n');
  const parts = head.startsWith('HTTP/') ? [...head.split('\n'), ...bodies] : [output];
  return parts.map(comparable);
}

describe('a reader of the guide', () => {
  const database = useDatabase(createMigratedDatabase);
  let project: PackedClient;
  const services: Record<string, { readonly url: string; close(): Promise<void> }> = {};

  beforeAll(async () => {
    project = PackedClient.install();
    const nowhere = `postgresql://nobody@127.0.0.1:${await freePort()}/nowhere`;
    services['usual'] = await startApp(database);
    services['limited'] = await startApp(database, { RATE_LIMIT_PER_MINUTE: '2' });
    services['withoutDatabase'] = await startApp({ ...database, environment: { DATABASE_URL: nowhere } });
  }, 120_000);

  afterAll(async () => {
    for (const service of Object.values(services)) await service.close();
    project.remove();
  });

  test.each(EXAMPLES.filter(({ language }) => !MISSING.includes(language)))(
    'finds what it says: $title',
    async ({ language, notes, program, output }) => {
      const { url } = services[/service=(?<name>\w+)/.exec(notes)?.[1] ?? 'usual']!;
      const file = join(project.folder, 'example.mjs');
      writeFileSync(
        file,
        program.replaceAll('https://api.animal-store.example', url).replaceAll('aslive_…', TEST_API_KEY),
      );
      const [command = '', ...options] = PROGRAMS[language]!;
      const { stdout } = await promisify(execFile)(command, [...options, file], {
        cwd: notes.includes('in=repository') ? ROOT : project.folder,
        env: {
          ...process.env,
          NODE_OPTIONS: '',
          ...database.environment,
          STORE: `${url}/v1`,
          KEY: TEST_API_KEY,
          API_KEY_PREFIX: 'aslive',
        },
      });
      for (const part of partsOf(output ?? '')) expect(comparable(stdout)).toContain(part);
    },
    60_000,
  );
});
