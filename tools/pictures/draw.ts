import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dependencyPictures, type CruisedFile } from './dependency-pictures.ts';
import { requestPicture, type RequestFiles } from './request-picture.ts';
import { withSection } from './sections.ts';

// Draws the pictures of docs/architecture.md from the code and from the built server: `npm run docs:pictures`.

const PAGE = 'docs/architecture.md';

/** The JSON object that a program prints, possibly after lines about its progress. */
function outputOf(program: string, ...args: string[]): unknown {
  const text = execFileSync(process.execPath, [program, ...args], { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 });
  return JSON.parse(text.slice(text.search(/^\{/m)));
}

const { modules } = outputOf(
  'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
  ...['--config', 'test/architecture/dependency-rules.js', '--output-type', 'json', 'apps', 'libs'],
) as { modules: CruisedFile[] };
const files = outputOf('bench/measure/request-files.mjs', '--json') as RequestFiles;

let page = readFileSync(PAGE, 'utf8');
page = withSection(page, 'dependencies', dependencyPictures(modules));
page = withSection(page, 'request', requestPicture(files));
writeFileSync(PAGE, page);
console.log(`Wrote the pictures of ${PAGE}`);
