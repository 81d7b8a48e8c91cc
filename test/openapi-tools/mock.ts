/**
 * Starts Prism in the place of the service: `npm run mock`, on port 4010, or with Prism's own options behind `--`, as in
 * `npm run mock -- --port 4020`. Its answers are the examples of docs/openapi.yaml.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mockDocument } from './mock-document.ts';
import { DOCUMENT, startTool } from './run-tool.ts';

const folder = mkdtempSync(join(tmpdir(), 'animal-store-mock-'));
const file = join(folder, 'openapi.yaml');
writeFileSync(file, mockDocument(readFileSync(DOCUMENT, 'utf8')));
const prism = startTool('prism', ['mock', file, ...process.argv.slice(2)], 'inherit');
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => prism.kill(signal));
const [status] = (await once(prism, 'exit')) as [number | null];
rmSync(folder, { recursive: true });
process.exitCode = status ?? 0;
