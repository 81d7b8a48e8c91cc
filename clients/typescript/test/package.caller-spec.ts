import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BuiltProgram, createMigratedDatabase, TEST_API_KEY, useDatabase } from '@animal-store/testing';
import { NODES, PackedClient } from './packed-client.js';

/** The programs of the README. */
const EXAMPLES = [
  ...readFileSync(join(import.meta.dirname, '../README.md'), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms),
].map(([, program = '']) => program);

/** Sends 64-bit integers, reads them again, and prints them. */
const EXACT = `
import { AnimalStore, type Animal, type NewPet } from '@animal-store/client';

const store = new AnimalStore({ baseUrl: 'http://127.0.0.1:3000', apiKey: 'YOUR_KEY' });
const lines: string[] = [];
for (const categoryId of [9007199254740992n, 9007199254740993n, 9223372036854775807n, 7]) {
  const pet: NewPet = { name: 'Exact', categoryId };
  const added: Animal = await store.pets.create(pet);
  const id: bigint = added.id;
  for await (const animal of store.pets.list({ limit: 3 })) if (animal.id === id) lines.push(\`\${animal.categoryId}\`);
}
console.log(lines.join());
`;

/** Compares what is required with what is imported. Two copies would have two classes, and `instanceof` would fail. */
const REQUIRED = `
import client = require('@animal-store/client');
void import('@animal-store/client').then(({ ApiError }) => console.log(ApiError === client.ApiError));
`;

/** A test in CommonJS. */
const IN_JEST = `
const { AnimalStore, NetworkError } = require('@animal-store/client');
test('calls', async () => {
  const store = new AnimalStore({ baseUrl: 'http://127.0.0.1:9', apiKey: 'key', retries: 0 });
  await expect(store.pets.list().all()).rejects.toBeInstanceOf(NetworkError);
});
`;

/** Programs that the compiler must refuse, each with the message of the compiler. */
const WRONG: readonly (readonly [string, string])[] = [
  ["store.pets.create({ name: 'Rex' })", "'{ name: string; }' is not assignable"],
  ["store.pets.create({ name: 'Rex', categoryId: '7' })", "Type 'string' is not assignable"],
  ["store.pets.create({ name: 'Rex', categoryId: 7, colour: 'red' })", "'colour' does not exist"],
  ["store.pets.list({ status: 'Sold' })", `'"Sold"' is not assignable`],
  ["store.pets.get('1')", "'string' is not assignable"],
  ['(await store.pets.list().page()).items[0]!.id.toFixed()', "'toFixed' does not exist on type 'bigint'"],
];

const HEAD = `import { AnimalStore } from '@animal-store/client';
const store = new AnimalStore({ baseUrl: '', apiKey: '' });
`;

describe('the packed client in an empty project', () => {
  const database = useDatabase(createMigratedDatabase);
  /** In its own process: the programs of the tests call it, and the tests wait for the programs. */
  let server: BuiltProgram;
  let url: string;
  let client: PackedClient;

  beforeAll(async () => {
    server = new BuiltProgram('main', { BOOTSTRAP_API_KEY: TEST_API_KEY, ...database.environment });
    url = await server.listening();
    client = PackedClient.install();
  }, 120_000);

  afterAll(async () => {
    await server.kill('SIGKILL');
    client.remove();
  });

  /** The program with the address and the key of this test. */
  const aimed = (program: string) =>
    program.replaceAll('http://127.0.0.1:3000', url).replaceAll('YOUR_KEY', TEST_API_KEY);

  test('holds the compiled modules, their types, the README and the licence', () => {
    const others = client.files.filter((path) => !/^dist\/(?:cjs\/)?[a-z0-9-]+[.](?:js|d[.]ts)$/.test(path));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'dist/cjs/package.json', 'package.json']);
    expect(client.files).toContain('dist/index.d.ts');
  });

  test.each([
    ['a bundler', ['--module', 'esnext', '--moduleResolution', 'bundler']],
    [
      'Node, with the strictest rules',
      ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--verbatimModuleSyntax'],
    ],
  ])('compiles under --strict for %s', (_name, options) => {
    client.write('exact.mts', EXACT);
    expect(client.compile(['exact.mts'], [...options, '--noEmit'])).toBe('');
  });

  test('keeps the compiler from letting wrong calls through', () => {
    client.write('wrong.mts', `${HEAD}${WRONG.map(([call]) => call).join(';\n')};\n`);
    const printed = client.compile(['wrong.mts'], ['--noEmit']);
    const faults = WRONG.map((_call, index) => new RegExp(`wrong.mts[(]${index + 3},.*`).exec(printed)?.[0]);
    expect(faults).toEqual(WRONG.map(([, fault]) => expect.stringContaining(fault) as string));
  });

  test('is required by Jest in CommonJS mode', () => {
    client.write('jest.config.json', '{ "transform": {}, "testMatch": ["**/in-jest.cjs"] }');
    client.write('in-jest.cjs', IN_JEST);
    expect(client.runJest()).toContain('"numPassedTests":1');
  });

  test('is exact in both directions on each Node', () => {
    client.write('exact.mts', aimed(EXACT));
    expect(client.compile(['exact.mts'])).toBe('');
    for (const [, node] of NODES)
      expect(client.run('exact.mjs', node)).toBe('9007199254740992,9007199254740993,9223372036854775807,7\n');
  });

  test('is required from CommonJS on each Node, and is then the imported module itself', () => {
    client.write('required.cts', REQUIRED);
    expect(client.compile(['required.cts'])).toBe('');
    for (const [, node] of NODES) expect(client.run('required.cjs', node)).toBe('true\n');
  });

  test('compiles the programs of its README', () => {
    expect(EXAMPLES.length).toBeGreaterThanOrEqual(5);
    EXAMPLES.forEach((program, index) => {
      client.write(`example-${index}.mts`, aimed(program));
    });
    const names = EXAMPLES.map((_program, index) => `example-${index}.mts`);
    expect(client.compile(names)).toBe('');
  });

  test.each(EXAMPLES.map((_program, index) => index))('runs program %i of its README', (index) => {
    expect(client.run(`example-${index}.mjs`)).not.toBe('');
  });
});
