/**
 * Writes the types of the wire, `src/generated/openapi.ts`, from the OpenAPI document.
 *
 * An int64 becomes a `bigint`. A request member with a default is optional, as in the service.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { format } from 'prettier';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../../..');

/** The document of the service, and the file that is generated from it. */
export const DOCUMENT = pathToFileURL(join(ROOT, 'docs/openapi.yaml'));
export const TYPES = join(ROOT, 'clients/typescript/src/generated/openapi.ts');

/**
 * @param {URL} document the address of an OpenAPI document
 * @param {string} command the command that writes the module, for its heading
 * @returns {Promise<string>} the text of a TypeScript module
 */
export async function typesOf(document, command = 'npm run client:types') {
  const nodes = await openapiTS(document, {
    alphabetize: false,
    defaultNonNullable: false,
    transform: ({ format: form }) =>
      form === 'int64' ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword) : undefined,
  });
  const heading = `/** Generated from the OpenAPI document by \`${command}\`: change that, and never this file. */\n\n`;
  const { prettier } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  return format(heading + astToString(nodes), { ...prettier, parser: 'typescript' });
}

if (process.argv[1] === import.meta.filename) {
  await writeFile(TYPES, await typesOf(DOCUMENT));
}
