import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { TYPES } from '../tools/generate-types.js';

const PACKAGE = join(import.meta.dirname, '..');

/** The types that are generated from the current document. */
const PRESENT = readFileSync(TYPES, 'utf8');

const { config } = ts.readConfigFile(join(PACKAGE, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
  config: object;
};
const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, PACKAGE);
const host = ts.createCompilerHost(options);
/** Caches parsed files, above all the libraries of the language. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** The errors of the compiler for the client with these types of the wire: `pets.ts: Type …`. */
function faultsWith(types: string): string[] {
  const program = ts.createProgram(
    fileNames,
    { ...options, skipLibCheck: true },
    {
      ...host,
      getSourceFile: (path, language) => {
        if (path === TYPES) return ts.createSourceFile(path, types, language);
        if (!parsed.has(path)) parsed.set(path, host.getSourceFile(path, language));
        return parsed.get(path);
      },
    },
  );
  return program
    .getSemanticDiagnostics()
    .map(({ file, messageText }) => `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
}

describe('The client does not compile with a document that', () => {
  test.each([
    ['renames a member of an animal', /\bname: string/, 'title: string', 'pets.ts'],
    ['renames an id', /\bcategoryId: bigint/g, 'category: bigint', 'pets.ts'],
    ['makes a text of an id', /\bid: bigint/, 'id: string', 'pets.ts'],
    ['makes an int64 of a number', /\bname: string/g, 'name: bigint', 'pets.ts'],
    ['moves an operation', /'\/pets'/, "'/animals'", 'pets.ts'],
    ['refuses an Idempotency-Key', /'Idempotency-Key'[?]/, "'Repeated'?", 'pets.ts'],
    ['has another status for a service that is not available', /\b503: /g, '599: ', 'read-response.ts'],
  ])('%s', (_what, present, changed, file) => {
    const types = PRESENT.replace(present, changed);
    expect(types).not.toBe(PRESENT);
    expect(faultsWith(types)).toContainEqual(expect.stringContaining(`/src/${file}: `));
  });
});

test('The client compiles with the document as it is', () => {
  expect(faultsWith(PRESENT)).toEqual([]);
});
