import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PackedClient } from '../../clients/typescript/test/packed-client.js';
import { PAGES as NAVIGATION } from '../../docs/api/.vitepress/pages.js';
import { createMigratedDatabase, type ServerDatabase } from '../support/databases.js';
import { withClient } from '../support/database-client.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { examplesOf, fencedBlocks, type Example, type FencedBlock } from './fenced-blocks.js';
import { LANGUAGE_NAMES, reasonToSkip, runExample } from './languages.js';
import { comparable } from './comparable-output.js';
import { callerOfProduction, openProduction, PREFIX, type Production, type Trouble } from './production.js';
import { SERVICES } from './service-states.js';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = join(ROOT, 'docs/api');

/** Long enough for a compiler that first compiles its own library. */
const TIMEOUT_MS = 120_000;

/** In the order of the site: a reader begins with an empty catalogue, and each page adds animals that later ones show. */
const PAGES = Object.keys(NAVIGATION).map((name) => ({
  name: `${name}.md`,
  examples: examplesOf(fencedBlocks(readFileSync(join(GUIDE, `${name}.md`), 'utf8')), LANGUAGE_NAMES),
}));

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

/** The names that more than one pet has. */
async function namesInDuplicate(database: ServerDatabase): Promise<unknown[]> {
  return await withClient(database.url, async (client) => {
    const { rows } = await client.query<{ name: unknown }>('select name from pets group by name having count(*) > 1');
    return rows.map(({ name }) => name);
  });
}

let project: PackedClient;

beforeAll(() => {
  project = PackedClient.install();
}, TIMEOUT_MS);

afterAll(() => {
  project.remove();
});

/** The programs of this page send requests again. */
const RETRYING = 'retries.md';
const TROUBLES: readonly Trouble[] = ['dropped', 'refused', 'cut'];

describe.each(['directly', 'in production'])('a reader who calls the service %s', (world) => {
  const inProduction = world === 'in production';
  const caller = inProduction ? callerOfProduction() : {};
  let folder: string;
  let database: ServerDatabase;
  let usual: Served;
  let key = TEST_API_KEY;

  beforeAll(async () => {
    folder = mkdtempSync(join(project.folder, 'reader-'));
    database = await createMigratedDatabase();
    usual = await serve('usual');
  });

  afterAll(async () => {
    await usual.close();
    await database.remove();
  });

  async function serve(wanted: string): Promise<Served> {
    const app = await SERVICES[wanted]!(
      database,
      inProduction ? { TRUST_PROXY: 'loopback', PUBLIC_PATH_PREFIX: PREFIX } : {},
    );
    const proxy = inProduction ? await openProduction(app.url) : undefined;
    const close = async () => {
      proxy?.close();
      await app.close();
    };
    return { url: proxy?.url ?? app.url, proxy, close };
  }

  async function printedBy({ language, text, options }: FencedBlock): Promise<string> {
    const own = options['service'] === undefined ? undefined : await serve(options['service']);
    const variables = {
      ...database.environment,
      ...caller,
      API_KEY_PREFIX: 'aslive',
      ...(own !== undefined && { STORE: `${own.url}/v1` }),
    };
    const here = text.replaceAll('https://api.animal-store.example', usual.url).replaceAll('aslive_…', key);
    const cwd = options['in'] === 'repository' ? ROOT : folder;
    try {
      return await runExample(language, here, { folder, variables }, cwd);
    } finally {
      await own?.close();
    }
  }

  async function expectToDoWhatItSays({ command, output }: Example, isTroubled: boolean): Promise<void> {
    if (isTroubled) usual.proxy?.troubles.push(...TROUBLES);
    const printed = await printedBy(command);
    expect(usual.proxy?.troubles ?? []).toEqual([]);
    expect(await namesInDuplicate(database)).toEqual([]);
    key = /\baslive_\w{31}_\w{7}\b/.exec(printed)?.[0] ?? key;
    if (output === undefined) return;
    const { shown, actual } = comparable(output.language, output.text, printed);
    expect(actual).toEqual(shown);
  }

  describe.each(PAGES)('finds that the page $name', ({ name, examples }) => {
    for (const example of examples) {
      const { line, language, options } = example.command;
      const testOrSkip = SKIPPED.has(language) ? test.skip : test;
      const isTroubled = name === RETRYING && language !== 'sh';
      testOrSkip(
        `does in line ${line}, in ${language}, what it says`,
        () => expectToDoWhatItSays(example, isTroubled),
        TIMEOUT_MS,
      );
      if (options['service'] !== undefined && language !== 'sh') {
        testOrSkip(`runs in line ${line} on the usual service too`, () =>
          printedBy({ ...example.command, options: {} }),
        );
      }
    }
  });
});
