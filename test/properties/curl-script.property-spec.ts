import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { createMigratedDatabase, useOnDatabase } from '../support/databases.js';
import { listen } from '../support/listen.js';
import type { OpenApiDocument } from '../support/openapi.js';
import { TEST_API_KEY } from '../support/test-api-key.js';
import { catalogueCommands } from './catalogue/catalogue-commands.js';
import { CatalogueModel } from './catalogue/catalogue-model.js';
import { Instances } from './catalogue/instances.js';
import { bytesScript, curlScript } from './curl-script.js';
import { explore } from './exploration.js';
import { brokenDrafts } from './requests/broken-drafts.js';
import { Description } from './requests/described-operations.js';
import { validDrafts } from './requests/draft.js';
import type { Step } from './transcript.js';

const TIMEOUT_MS = 120_000;

/** On Linux, a longer body does not fit into one argument: a run with it would say nothing about the other requests. */
const MAX_BODY = 100_000;

describe('the script of what was done', () => {
  // The instances are closed before their database is removed, which would end their connections.
  const [used] = useOnDatabase(createMigratedDatabase, 1, (database) => {
    const instances = new Instances(database, 2);
    return Promise.resolve({ instances, close: () => instances.close() });
  });
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
  const forwarders: Server[] = [];
  const environment: Record<string, string> = {
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    KEY: TEST_API_KEY,
  };
  let instances: Instances;

  beforeAll(async () => {
    ({ instances } = used!);
    for (const [instance, name] of ['ONE', 'TWO'].entries()) {
      // The addresses in a script do not change, but the port of an instance changes with each restart.
      const forwarder = createServer((client) => {
        void instances.port(instance).then((port) => {
          const server = connect(port, '127.0.0.1');
          for (const socket of [client, server]) socket.on('error', () => undefined);
          client.pipe(server).pipe(client);
        });
      });
      forwarders.push(forwarder);
      environment[name] = `http://127.0.0.1:${await listen(forwarder)}`;
    }
  });

  afterAll(() => {
    for (const forwarder of forwarders) forwarder.close();
    rmSync(folder, { recursive: true });
  });

  /** Runs the script by `sh`, and restarts the instances that it names. @returns the lines that the script prints */
  async function run(script: string): Promise<string[]> {
    const file = join(folder, 'script.sh');
    writeFileSync(file, script);
    const shell = spawn('sh', [file], { env: environment });
    let printed = '';
    shell.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    shell.stderr.on('data', (chunk: Buffer) => {
      const instance = /^Restart instance (?<number>[0-9]+),/.exec(chunk.toString())?.groups?.['number'];
      if (instance === undefined) printed += chunk.toString();
      else void instances.restart(Number(instance) - 1).then(() => shell.stdin.write('\n'));
    });
    await once(shell, 'close');
    return printed.split('\n').filter((line) => line !== '');
  }

  /** The lines that a script must print if it gets the recorded answers. */
  function linesOf(steps: readonly Step[]): string[] {
    return steps.flatMap((step, index) => {
      if (step.kind === 'restart') return [];
      const { request, answer } = step;
      return [`${index + 1} ${answer!.status} ${request.method === 'HEAD' ? '' : answer!.text()}`];
    });
  }

  test(
    'gets the same answers from an empty catalogue whose ids begin elsewhere, with the restarts that it asks for',
    async () => {
      const commands = fc.commands(catalogueCommands(2), { maxCommands: 15, size: 'max' });
      const property = fc.asyncProperty(commands, async (given) => {
        await instances.reset(10_000_000n);
        await fc.asyncModelRun(() => ({ model: new CatalogueModel(), real: instances }), given);
        const { steps } = instances.transcript;
        const first = linesOf(steps).map((line) => line.replaceAll(/"id":1(?=[0-9]{7},)/g, '"id":2'));
        await instances.reset(20_000_000n);
        expect(await run(curlScript([...steps]))).toEqual(first);
      });
      expect((await explore('scripts of commands', 40, property)).runs).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );

  test(
    'sends the bytes of every request, whatever a shell takes them for',
    async () => {
      const document = await fetch(`http://127.0.0.1:${await instances.port(0)}/openapi.json`);
      const description = new Description((await document.json()) as OpenApiDocument);
      const operations = fc.constantFrom(...description.operations);
      const drafts = operations.chain((described) => fc.tuple(validDrafts(description, described), fc.nat()));
      const property = fc.asyncProperty(drafts, async ([draft, place]) => {
        const all = [draft, ...brokenDrafts(description, draft).map((broken) => broken.draft)];
        const ids = new Map(draft.references.map((reference) => [reference, 1n]));
        const request = all[place % all.length]!.request(ids);
        fc.pre((request.body?.length ?? 0) < MAX_BODY);
        await instances.reset(10_000_000n);
        await instances.send(0, request);
        const { steps } = instances.transcript;
        await instances.reset(10_000_000n);
        expect(await run(curlScript(steps))).toEqual(linesOf(steps));
      });
      expect((await explore('scripts of requests', 100, property)).runs).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );

  test.each([
    ['a line of garbage', Buffer.from("it's 100% \\n \0 caf\u00e9\r\n\r\n"), 400],
    ['a request of another version', Buffer.from('GET / HTTP/9.9\r\nHost: localhost\r\n\r\n'), 400],
    ['a field that is too long', Buffer.from(`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`), 431],
  ])(
    'sends %s byte by byte, which curl would not',
    async (_what, bytes, status) => {
      const [line] = await run(bytesScript(bytes));
      expect(line).toContain(`HTTP/1.1 ${status} `);
    },
    TIMEOUT_MS,
  );
});
