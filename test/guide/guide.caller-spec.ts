import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '../support/one-realm.js';
import { createMigratedDatabase, type ServerDatabase } from '../support/databases.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { buildClient, checkTypes, installClient } from './client.js';
import { examplesOf, fencedBlocks, type Example, type FencedBlock } from './fenced-blocks.js';
import { LANGUAGE_NAMES, reasonToSkip, runExample } from './languages.js';
import { comparable } from './output.js';
import { callerOfProduction, openProduction, type Production, type Trouble } from './production.js';
import { addPets, namesInDuplicate, SERVICES, type Row } from './services.js';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = join(ROOT, 'docs/api');

/** Long enough for a compiler that first compiles its own library. */
const TIMEOUT_MS = 120_000;

/** The pets that the pages expect in the catalogue. */
const PETS: readonly Row[] = [
  { id: 1n, name: 'Rex' },
  { id: 2n, name: 'Mia', categoryId: 3n, status: 'sold' },
  { id: 3n, name: 'Coco', categoryId: 12n },
  { id: 4n, name: 'Bella', status: 'pending' },
  { id: 5n, name: 'Nemo', categoryId: 21n },
];

/** The pages that expect other pets. */
const OTHERS: Readonly<Record<string, readonly Row[]>> = {
  'getting-started.md': [],
  'integers.md': [
    { id: 9_007_199_254_740_992n, name: 'Even' },
    { id: 9_007_199_254_740_993n, name: 'Odd' },
  ],
};

const PAGES = readdirSync(GUIDE)
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({
    name,
    // Blocks that show a file of the repository are left out: markdown.spec.ts compares them, and other tests run the file.
    examples: examplesOf(fencedBlocks(readFileSync(join(GUIDE, name), 'utf8')), LANGUAGE_NAMES).filter(
      ({ command }) => command.options['file'] === undefined,
    ),
  }))
  .filter(({ examples }) => examples.length > 0);

const USED = new Set(PAGES.flatMap(({ examples }) => examples.map(({ command }) => command.language)));
const SKIPPED = new Map(
  [...USED].flatMap((language) => {
    const reason = reasonToSkip(language);
    return reason === undefined ? [] : [[language, reason]];
  }),
);
for (const [language, reason] of SKIPPED)
  console.warn(`The examples of the guide in ${language} are not run: ${reason}`);

/** A service as a caller sees it: directly, or through a proxy. */
interface Served {
  readonly url: string;
  readonly proxy: Production | undefined;
  close(): Promise<void>;
}

let client: string;

beforeAll(async () => {
  client = await buildClient();
}, TIMEOUT_MS);

afterAll(() => {
  rmSync(client, { recursive: true });
});

test(
  'the examples in TypeScript pass the compiler under --strict',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-guide-'));
    installClient(folder, client);
    const files = PAGES.flatMap(({ name, examples }) =>
      examples
        .filter(({ command }) => command.language === 'ts')
        .map(({ command }) => {
          const file = `${name}-${command.line}.ts`;
          writeFileSync(join(folder, file), command.text);
          return file;
        }),
    );
    expect(files).not.toHaveLength(0);
    await checkTypes(folder, files);
    rmSync(folder, { recursive: true });
  },
  TIMEOUT_MS,
);

const PAGES_IN_BOTH_WORLDS = PAGES.flatMap((page) => [
  { ...page, world: 'directly' },
  { ...page, world: 'in production' },
]);

/** The programs of this page send requests again. */
const RETRYING = 'retries.md';
const TROUBLES: readonly Trouble[] = ['dropped', 'refused', 'cut'];

describe.each(PAGES_IN_BOTH_WORLDS)('the page $name, $world', ({ name, world, examples }) => {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-guide-'));
  const inProduction = world === 'in production';
  const caller = inProduction ? callerOfProduction(folder) : {};
  let database: ServerDatabase;
  let usual: Served;
  let key = TEST_API_KEY;

  beforeAll(async () => {
    installClient(folder, client);
    database = await createMigratedDatabase();
    await addPets(database, OTHERS[name] ?? PETS);
    usual = await serve('usual');
  });

  afterAll(async () => {
    await usual.close();
    await database.remove();
    rmSync(folder, { recursive: true });
  });

  async function serve(wanted: string): Promise<Served> {
    const app = await SERVICES[wanted]!(database, inProduction ? { TRUST_PROXY: 'loopback' } : {});
    const proxy = inProduction ? await openProduction(app.url) : undefined;
    const close = async () => {
      proxy?.close();
      await app.close();
    };
    return { url: proxy?.url ?? app.url, proxy, close };
  }

  /** Calls `work` with a service in the state that the block requires. */
  async function withService<Result>(wanted: string | undefined, work: (service: Served) => Promise<Result>) {
    if (wanted === undefined) return await work(usual);
    const service = await serve(wanted);
    try {
      return await work(service);
    } finally {
      await service.close();
    }
  }

  async function printedBy(block: FencedBlock): Promise<string> {
    return await withService(block.options['service'], async ({ url }) => {
      const text = block.text.replaceAll('https://api.animal-store.example', url).replaceAll('aslive_…', key);
      const variables = {
        ...(name !== 'getting-started.md' && { STORE: `${url}/v1`, KEY: TEST_API_KEY }),
        ...database.environment,
        ...caller,
        API_KEY_PREFIX: 'aslive',
      };
      const cwd = block.options['in'] === 'repository' ? ROOT : folder;
      return await runExample(block.language, text, { folder, variables }, cwd);
    });
  }

  async function expectToDoWhatItSays({ command, output }: Example): Promise<void> {
    const isTroubled = name === RETRYING && command.language !== 'sh';
    if (isTroubled) usual.proxy?.troubles.push(...TROUBLES);
    const printed = await printedBy(command);
    if (isTroubled) {
      expect(usual.proxy?.troubles ?? []).toEqual([]);
      expect(await namesInDuplicate(database)).toEqual([]);
    }
    key = /\baslive_\w{31}_\w{7}\b/.exec(printed)?.[0] ?? key;
    if (output === undefined) return;
    const { shown, actual } = comparable(output.language, output.text, printed);
    expect(actual).toEqual(shown);
  }

  for (const example of examples) {
    const { line, language } = example.command;
    const testOrSkip = SKIPPED.has(language) ? test.skip : test;
    testOrSkip(`does in line ${line}, in ${language}, what it says`, () => expectToDoWhatItSays(example), TIMEOUT_MS);
    if (example.command.options['service'] !== undefined && language !== 'sh') {
      testOrSkip(`runs in line ${line} on the usual service too`, () => printedBy({ ...example.command, options: {} }));
    }
  }
});
