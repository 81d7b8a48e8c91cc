import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOCUMENT, PACKAGE, runProgram, runTool, type Ended } from './run-tool.js';

/** The folders in clients/: each has a program with a client as its generator makes it, and one with exact integers. */
export const GENERATORS = ['openapi-fetch', 'hey-api', 'orval'] as const;
export type Generator = (typeof GENERATORS)[number];

/** Make a client as it comes, and one with exact integers, of each generator. */
const COMMANDS: readonly (readonly [tool: string, ...args: string[]])[] = [
  ['openapi-typescript', 'openapi.yaml', '--output', 'openapi-fetch/schema.ts'],
  ['node', 'openapi-fetch/generate.ts', 'openapi.yaml', 'openapi-fetch/exact-schema.ts'],
  ['openapi-ts', '--input', 'openapi.yaml', '--output', 'hey-api/generated', '--client', '@hey-api/client-fetch'],
  ['openapi-ts', '--file', 'hey-api/openapi-ts.config.ts'],
  ['orval', '--config', 'orval/orval.config.ts'],
];

/** The programs of clients/, in a temporary folder with the clients that are generated from the document. */
export class GeneratedClients {
  private constructor(
    private readonly folder: string,
    private readonly complaints: readonly string[],
  ) {}

  /** Generates and compiles. @throws Error when a generator fails */
  static async make(): Promise<GeneratedClients> {
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-clients-'));
    cpSync(join(PACKAGE, 'clients'), folder, { recursive: true });
    cpSync(DOCUMENT, join(folder, 'openapi.yaml'));
    symlinkSync(join(PACKAGE, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    for (const [tool, ...args] of COMMANDS) {
      succeeded(tool === 'node' ? await runProgram(args, folder) : await runTool(tool, args, folder));
    }
    const { standardOutput } = await runTool('tsc', ['--project', 'tsconfig.json'], folder);
    return new GeneratedClients(folder, standardOutput.split('\n'));
  }

  /** What the compiler says of the client and the programs of one generator. */
  compilerErrors(generator: Generator): string[] {
    return this.complaints.filter((text) => text !== '' && (text.startsWith(generator) || !/^\S+\//.test(text)));
  }

  /** Runs one of the programs against a service, and gives what it reports. @throws Error when it fails */
  async report(
    generator: Generator,
    program: 'run' | 'run-exact',
    variables: Record<string, string>,
  ): Promise<unknown> {
    const ended = await runProgram([join('out', generator, `${program}.js`)], this.folder, variables);
    return JSON.parse(succeeded(ended).standardOutput);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

function succeeded(ended: Ended): Ended {
  if (ended.status !== 0) throw new Error(`${ended.standardOutput}${ended.standardError}`);
  return ended;
}
