import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jacksonClasspath, reasonToSkip } from '../guide/languages.js';
import { DOCUMENT, PACKAGE } from './run-tool.js';

const GENERATOR = join(PACKAGE, 'node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar');
const PROGRAMS = join(PACKAGE, 'clients/openapi-generator');

/** Where Debian puts the packages of Go. */
const GO_OF_DEBIAN = '/usr/share/gocode';

/** A client that openapi-generator makes, and a program with it. The caller removes the folder. */
interface OtherClient {
  readonly folder: string;
  readonly command: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** @param target where the client is put, in the folder of the program */
function generated(target: string, ...options: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-clients-'));
  const args = ['-jar', GENERATOR, 'generate', '-i', DOCUMENT, '-o', join(folder, target), ...options];
  execFileSync('java', args, { stdio: 'ignore' });
  cpSync(PROGRAMS, folder, { recursive: true });
  return folder;
}

/** The languages of these clients. A generator in Java makes each of them, so all need Java. */
export const OTHER_LANGUAGES: Readonly<Record<string, () => OtherClient>> = {
  python: () => {
    const folder = generated('.', '-g', 'python');
    return { folder, command: ['python3', join(folder, 'run.py')], variables: { PYTHONPATH: folder } };
  },
  java: () => {
    const folder = generated('.', '-g', 'java', '--library', 'native');
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.java') && !path.startsWith('src/test'))
      .map((path) => join(folder, path));
    // Debian has neither these annotations nor the modules for dates and for absent values, which the document does not use.
    for (const path of sources)
      writeFileSync(
        path,
        readFileSync(path, 'utf8').replace(
          /^.*(?:ApiModel|javax\.annotation|JavaTimeModule|JsonNullable|jnm).*\n/gm,
          '',
        ),
      );
    const classPath = `${folder}:${jacksonClasspath()}`;
    execFileSync('javac', ['-nowarn', '-d', folder, '-cp', classPath, ...sources], { stdio: 'ignore' });
    return { folder, command: ['java', '-cp', classPath, 'Run'], variables: {} };
  },
  go: () => {
    const folder = generated('src/openapi', '-g', 'go-experimental');
    const variables = { GO111MODULE: 'off', GOPATH: `${folder}:${GO_OF_DEBIAN}` };
    return { folder, command: ['go', 'run', 'run.go'], variables };
  },
};

/** Why the client of this language cannot be made or run on this machine. */
export function reasonToSkipClient(language: string): string | undefined {
  return reasonToSkip('java') ?? reasonToSkip(language) ?? MISSING[language]?.();
}

const MISSING: Readonly<Record<string, () => string | undefined>> = {
  python: missingOfPython,
  go: () =>
    existsSync(join(GO_OF_DEBIAN, 'src/golang.org/x/oauth2'))
      ? undefined
      : `${GO_OF_DEBIAN} has not golang.org/x/oauth2: Debian's package is golang-golang-x-oauth2-dev`,
};

function missingOfPython(): string | undefined {
  try {
    execFileSync('python3', ['-c', 'import dateutil, six, urllib3'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'Python has not dateutil, six and urllib3';
  }
}

/** Runs the program against a service. @returns its report */
export async function reportOf(
  { folder, command, variables }: OtherClient,
  settings: Record<string, string>,
): Promise<unknown> {
  const [program = '', ...args] = command;
  const env = { ...process.env, ...variables, ...settings };
  const { stdout } = await promisify(execFile)(program, args, { cwd: folder, env });
  return JSON.parse(stdout);
}

export function removeClient({ folder }: OtherClient): void {
  rmSync(folder, { recursive: true });
}
