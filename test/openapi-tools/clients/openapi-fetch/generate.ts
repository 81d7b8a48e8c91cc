// node generate.ts docs/openapi.yaml exact-schema.ts: as the command openapi-typescript does, with int64 as bigint.
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const [document = '', output = ''] = process.argv.slice(2);
const bigint = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);
const types = await openapiTS(pathToFileURL(document), {
  transform: ({ format }) => (format === 'int64' ? bigint : undefined),
});
writeFileSync(output, astToString(types));
